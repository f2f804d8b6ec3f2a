// What a kernel matrix says of the test error before a test row is seen.
//
// Kernel machines of Laplace, Gaussian and NTK kernels and of an RFM's K_M, on a polynomial of few directions with N(0,
// I) inputs and label noise, over several numbers of rows and noises. Every kernel matrix is divided by the mean of its
// diagonal, so that one ridge means the same for all. Findings: Spearman's rank correlation of each measure of
// rfm/measures with the mean squared error on test, over all of these; how far leave-one-out and generalized
// cross-validation are from it; what the RFM's iterations change in the alignment with the targets and in the effective
// rank; the slope of each spectrum. Figure: the spectra, and measures against the test error. Everything in double.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <initializer_list>

#include "core/data/metrics.h"
#include "core/data/synthetic/synthetic.h"
#include "core/statistics/ranking/rank_correlation.h"
#include "experiments/options/option_names.h"
#include "experiments/theory/limit_curves.h"
#include "experiments/without_data.h"
#include "rfm/measures/kernel_measures.h"
#include "rfm/pairs/kernel_matrix.h"
#include "rfm/rfm.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {
namespace {

using rfm::KernelFamily;

struct GeneralizationOptions {
  LowRankOptions target;
  std::vector<Index> sizes = {100, 200, 400};
  std::vector<double> noises = {0, 0.1, 0.5};  ///< variance of the label noise
  Index test_size = 1000;
  double bandwidth = 5;
  double ridge = 1e-2;  ///< times the mean of the kernel matrix' diagonal
  Index rfm_iterations = 3;
  Index trials = 3;
};

struct KernelRow {
  const char *name, *label;
  KernelFamily family;
};
constexpr std::array<KernelRow, 3> kFixed = {{{"laplace", "Laplace", KernelFamily::laplace},
                                              {"gaussian", "Gaussian", KernelFamily::gaussian},
                                              {"ntk", "NTK", KernelFamily::ntk}}};

/// One kernel on one draw of rows.
struct Case {
  rfm::RidgeMeasures ridge;
  double alignment = 0, centered_alignment = 0, effective_rank = 0;
  double test_error = 0;  ///< mean squared
  Vector<double> eigenvalues;
};

struct Measure {
  const char *name, *label;
  double (*value)(const Case&);
};
constexpr std::array<Measure, 8> kMeasures = {
    {{"leave_one_out", "leave-one-out error", [](const Case& c) { return c.ridge.leave_one_out_error; }},
     {"gcv", "generalized cross-validation", [](const Case& c) { return c.ridge.generalized_cross_validation; }},
     {"target_norm", "yᵀ(K + λI)⁻¹y / n", [](const Case& c) { return c.ridge.target_norm; }},
     {"mean_inverse", "tr (K + λI)⁻¹ / n", [](const Case& c) { return c.ridge.mean_inverse; }},
     {"degrees_of_freedom", "degrees of freedom", [](const Case& c) { return c.ridge.degrees_of_freedom; }},
     {"training_error", "training error", [](const Case& c) { return c.ridge.training_error; }},
     {"alignment", "alignment with the targets", [](const Case& c) { return c.alignment; }},
     {"centered_alignment", "centred alignment with the targets", [](const Case& c) { return c.centered_alignment; }}}};

Case measured(const rfm::Kernel& kernel, const FeatureMatrix<double>& metric, const Split<double>& split,
              double ridge) {
  const Matrix<double>&x = split.train.inputs, &y = split.train.targets;
  Matrix<double> k = rfm::kernel_matrix<double>(kernel, metric, x);
  const double unit = k.diagonal().mean();
  k /= unit;
  const rfm::KernelMeasures measures(k, y);
  Case result;
  result.ridge = measures.at(ridge);
  result.alignment = measures.target_alignment();
  result.centered_alignment = measures.centered_target_alignment();
  result.effective_rank = measures.effective_rank();
  result.eigenvalues = measures.eigenvalues();
  rfm::SolverOptions solver;
  solver.ridge = ridge * unit;
  const auto fit = rfm::fit_kernel_machine<double>(kernel.spec(), metric, std::make_shared<const Matrix<double>>(x), y,
                                                   solver, RandomStream(0));
  result.test_error = evaluate<double>(fit.machine, split.test).mse;
  return result;
}

/// Of one draw of rows: the fixed kernels, and the RFM's at each iteration.
struct Draw {
  std::vector<Case> fixed, rfm;
};

Draw measured_draw(const GeneralizationOptions& o, const Split<double>& split, const RandomStream& stream) {
  Draw draw;
  const auto identity = FeatureMatrix<double>::identity(split.train.dimension());
  for (const KernelRow& row : kFixed) {
    rfm::KernelSpec spec;
    spec.family = row.family;
    spec.bandwidth = o.bandwidth;
    draw.fixed.push_back(measured(rfm::Kernel::make(spec), identity, split, o.ridge));
  }
  rfm::RfmOptions options;
  options.kernel.bandwidth = o.bandwidth;
  options.solver.ridge = o.ridge;
  options.iterations = o.rfm_iterations;
  options.normalize_feature_matrix = rfm::MetricNormalization::trace;
  for (const auto& machine : rfm::fit_rfm<double>(split, options, stream).machines)
    draw.rfm.push_back(measured(machine.kernel(), machine.metric(), split, o.ridge));
  return draw;
}

/// Every size, noise and trial; the last is the largest size with the first noise.
std::vector<Draw> measure(const GeneralizationOptions& o, const RunContext& run) {
  std::vector<Draw> draws;
  Progress progress("kernels", static_cast<Index>(o.sizes.size() * o.noises.size()) * o.trials, "draws", run.quiet);
  for (const Index n : o.sizes)
    for (auto noise = o.noises.rbegin(); noise != o.noises.rend(); ++noise)
      for (Index trial = 0; trial < o.trials; ++trial) {
        LowRankOptions target = o.target;
        target.label_noise_variance = *noise;
        const RandomStream stream = run.stream.named(fmt::format("trial/{}", trial));
        draws.push_back(measured_draw(o, make_low_rank<double>(target, n, 0, o.test_size, stream), stream));
        progress.update(static_cast<Index>(draws.size()));
      }
  progress.finish();
  return draws;
}

/// The cases whose measures are compared: the fixed kernels and the RFM's last K_M.
std::vector<Case> compared(const std::vector<Draw>& draws) {
  std::vector<Case> cases;
  for (const Draw& draw : draws) {
    cases.insert(cases.end(), draw.fixed.begin(), draw.fixed.end());
    cases.push_back(draw.rfm.back());
  }
  return cases;
}

template <class Value>
Vector<double> values_of(const std::vector<Case>& cases, Value&& value) {
  Vector<double> values(static_cast<Index>(cases.size()));
  for (Index i = 0; i < values.size(); ++i) values[i] = value(cases[static_cast<std::size_t>(i)]);
  return values;
}

Vector<double> test_errors(const std::vector<Case>& cases) {
  return values_of(cases, [](const Case& c) { return c.test_error; });
}

/// Of log l_i over log i, from the tenth eigenvalue to the middle one.
double spectrum_slope(const Vector<double>& eigenvalues) {
  std::vector<double> ranks, values;
  for (Index i = std::min<Index>(9, eigenvalues.size() / 4); i < eigenvalues.size() / 2; ++i) {
    ranks.push_back(static_cast<double>(i + 1));
    values.push_back(eigenvalues[i]);
  }
  return log_slope(ranks, values);
}

Finding mean_finding(std::string name, std::string meaning, const std::vector<double>& values) {
  return finding_of(std::move(name), std::move(meaning), mean_of_trials(values));
}

/// What depends on the draw alone, as a mean over draws.
std::vector<Finding> draw_findings(const GeneralizationOptions& o, const std::vector<Draw>& draws) {
  std::vector<double> gains, ranks;
  for (const Draw& draw : draws) {
    gains.push_back(draw.rfm.back().centered_alignment - draw.rfm.front().centered_alignment);
    ranks.push_back(draw.rfm.back().effective_rank / draw.rfm.front().effective_rank);
  }
  std::vector<Finding> findings = {
      mean_finding("rfm.alignment_gain",
                   "centred alignment of the RFM's K_M with the targets, last iteration less first", gains),
      mean_finding("rfm.effective_rank_ratio", "effective rank of the RFM's K_M, last iteration over first", ranks)};
  const auto add_slope = [&](const std::string& name, const std::string& label, auto&& of) {
    std::vector<double> slopes;
    for (std::size_t i = draws.size() - static_cast<std::size_t>(o.trials); i < draws.size(); ++i)
      slopes.push_back(spectrum_slope(of(draws[i]).eigenvalues));
    findings.push_back(mean_finding("spectrum." + name, label + ": slope of log λᵢ over log i", slopes));
  };
  for (std::size_t k = 0; k < kFixed.size(); ++k)
    add_slope(kFixed[k].name, kFixed[k].label, [k](const Draw& draw) -> const Case& { return draw.fixed[k]; });
  add_slope("rfm", "RFM's K_M", [](const Draw& draw) -> const Case& { return draw.rfm.back(); });
  return findings;
}

std::vector<Finding> findings_of(const GeneralizationOptions& o, const std::vector<Draw>& draws) {
  const std::vector<Case> cases = compared(draws);
  const Vector<double> errors = test_errors(cases);
  std::vector<Finding> findings;
  for (const Measure& measure : kMeasures) {
    const RankCorrelation found = rank_correlation(values_of(cases, measure.value), errors);
    findings.push_back({fmt::format("{}.rank_correlation", measure.name),
                        fmt::format("{}: rank correlation with the test error", measure.label), found.rho, "",
                        found.standard_error});
  }
  for (std::size_t i = 0; i < 2; ++i) {
    const Measure& measure = kMeasures[i];
    std::vector<double> ratios;
    for (const Case& one : cases) ratios.push_back(measure.value(one) / one.test_error);
    findings.push_back(mean_finding(fmt::format("{}.ratio", measure.name),
                                    fmt::format("{} over the test error, mean", measure.label), ratios));
  }
  for (Finding& finding : draw_findings(o, draws)) findings.push_back(std::move(finding));
  return findings;
}

std::vector<std::string> finding_names() {
  std::vector<std::string> names = {"leave_one_out.ratio", "gcv.ratio", "rfm.alignment_gain",
                                    "rfm.effective_rank_ratio", "spectrum.rfm"};
  for (const Measure& measure : kMeasures) names.push_back(fmt::format("{}.rank_correlation", measure.name));
  for (const KernelRow& row : kFixed) names.push_back(fmt::format("spectrum.{}", row.name));
  return names;
}

std::vector<double> list_of(const Vector<double>& values) { return {values.data(), values.data() + values.size()}; }

void draw_figure(const std::vector<Draw>& draws, const RunContext& run) {
  viz::LinePlot spectra{"Eigenvalues of K at the largest n", "i", "", true, true, {}, {}, {}};
  const auto add = [&](const std::string& label, const Case& one) {
    std::vector<double> ranks;
    for (Index i = 1; i <= one.eigenvalues.size(); ++i) ranks.push_back(static_cast<double>(i));
    spectra.series.push_back({label, ranks, list_of(one.eigenvalues)});
  };
  const Draw& last = draws.back();
  for (std::size_t k = 0; k < kFixed.size(); ++k) add(kFixed[k].label, last.fixed[k]);
  for (std::size_t t = 1; t < last.rfm.size(); ++t) add(fmt::format("RFM, iteration {}", t), last.rfm[t]);
  const std::vector<Case> cases = compared(draws);
  const std::vector<double> errors = list_of(test_errors(cases));
  const auto scatter = [&](const char* title, std::initializer_list<std::size_t> measures, bool logarithmic) {
    viz::LinePlot plot{title, "test error", "", logarithmic, logarithmic, {}, {}, {}};
    for (const std::size_t i : measures)
      plot.series.push_back({kMeasures[i].label, errors, list_of(values_of(cases, kMeasures[i].value)), true, false});
    return plot;
  };
  viz::draw_lines({spectra, scatter("Error estimates", {0, 1, 5}, true), scatter("Alignment", {6, 7}, false)},
                  run.directory.path() / "images/generalization");
}

ExperimentSummary run_generalization(const GeneralizationOptions& o, const RunContext& run) {
  return in_section("generalization", [&] {
    const std::vector<Draw> draws = measure(o, run);
    ExperimentSummary summary;
    summary.conventions = {"laplace", "gaussian", "ntk"};
    summary.findings = findings_of(o, draws);
    draw_figure(draws, run);
    summary.figures = {{"generalization", "What the kernel matrix says of the test error",
                        "Left: eigenvalues of the kernel matrices, divided by the mean of their diagonals. Middle and "
                        "right: measures that need no test rows against the mean squared error on test, a point each "
                        "kernel, number of rows, noise and draw."}};
    return summary;
  });
}

Plan plan_generalization(const GeneralizationOptions& o) {
  const double n = static_cast<double>(o.sizes.back()), kernels = 3 + static_cast<double>(o.rfm_iterations + 1);
  PlannedStage stage{"kernel matrices", {"eigen-decompositions", ""}};
  // Numbers of rows usually double: all of them cost less than twice the largest.
  stage.cost.flops =
      2 * static_cast<double>(o.trials) * static_cast<double>(o.noises.size()) * kernels * 11 * n * n * n;
  stage.cost.working_bytes = 8 * (5 * n * n + static_cast<double>(o.test_size) * n);
  Plan plan;
  plan.size.dimension = o.target.dimension;
  plan.stages = {stage};
  return plan;
}

GeneralizationOptions parse_generalization(const Config& section) {
  constexpr Index kMost = 1'000'000;
  GeneralizationOptions o;
  o.target = parse_low_rank(section);
  o.sizes = parse_sizes(section, "sizes", o.sizes);
  if (o.sizes.front() < 8) section.fail("sizes", "must be at least 8");
  o.noises = section.get_list("noises", o.noises, 0.0);
  if (o.noises.empty()) section.fail("noises", "must name at least one");
  o.test_size = section.get_at_least("test_size", o.test_size, Index{2}, kMost);
  o.bandwidth = section.get_positive("bandwidth", o.bandwidth);
  o.ridge = section.get_positive("ridge", o.ridge);
  o.rfm_iterations = section.get_at_least("rfm_iterations", o.rfm_iterations, Index{1}, Index{1000});
  o.trials = section.get_at_least("trials", o.trials, Index{1}, kMost);
  return o;
}

}  // namespace

PreparedExperiment prepare_generalization(const Config& root, const CommonOptions& common) {
  const GeneralizationOptions options = parse_generalization(root.section("generalization"));
  return prepare_without_data(
      common, parse_expectations(root, finding_names()), [=] { return plan_generalization(options); },
      [=](const RunContext& run) { return run_generalization(options, run); });
}

}  // namespace ansatz::experiments
