// Random features in place of kernels: how fast kernel, predictions and test error approach the kernel's own.
//
// Kernel matrices of N(0, I) inputs beside those of D random features (Rahimi and Recht 2008), for the Gaussian kernel
// (also with orthogonal directions), the Laplace kernels of the Euclidean and the L1 distance, the Cauchy kernel, and
// nngp of one hidden layer. Then ridge regression on the features beside the kernel machine, and an RFM on features
// beside the RFM, on a polynomial of few directions. Findings: the slope of the kernel's and of the predictions'
// relative error over D (-1/2, as of means of independent terms) and the error at the largest D; by how much 1 - R^2
// on test is larger there; how much less orthogonal features err; and the RFM on features of the largest D. Figure:
// both errors and the test error against D. Everything in double.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>

#include "core/data/metrics.h"
#include "core/data/synthetic/synthetic.h"
#include "experiments/options/option_names.h"
#include "experiments/theory/kernel_error.h"
#include "experiments/theory/limit_curves.h"
#include "experiments/without_data.h"
#include "rfm/pairs/kernel_matrix.h"
#include "rfm/random_features/random_feature_rfm.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {
namespace {

using rfm::KernelFamily;

struct RandomFeaturesOptions {
  LowRankOptions target;
  Index points = 40;  ///< of the kernel matrices
  Index samples = 300, test_size = 1000;
  std::vector<Index> features = {64, 128, 256, 512, 1024, 2048, 4096};  ///< D
  double bandwidth = 3;
  double ridge = 0.1;
  double rfm_bandwidth = 5;
  Index rfm_iterations = 3;
  Index trials = 10;
};

/// A kernel whose matrix is compared. Predictions are those of the first three.
struct KernelRow {
  const char *name, *label;
  std::optional<KernelFamily> family;  ///< none: the Cauchy kernel
  bool orthogonal;
  bool predicts;
};
constexpr std::array<KernelRow, 6> kKernels = {
    {{"gaussian", "Gaussian", KernelFamily::gaussian, false, true},
     {"laplace", "Laplace", KernelFamily::laplace, false, true},
     {"nngp", "NNGP", KernelFamily::nngp, false, true},
     {"gaussian_orthogonal", "Gaussian, orthogonal", KernelFamily::gaussian, true, false},
     {"product_laplace", "Laplace of |x-z|₁", KernelFamily::product_laplace, false, false},
     {"cauchy", "Cauchy", std::nullopt, false, false}}};

/// The L1 distance is some sqrt(d) times as long as the Euclidean one: its bandwidth is that much larger.
rfm::KernelSpec spec_of(const KernelRow& row, const RandomFeaturesOptions& o) {
  rfm::KernelSpec spec;
  spec.family = row.family.value_or(KernelFamily::gaussian);
  spec.bandwidth = o.bandwidth;
  if (row.family == KernelFamily::product_laplace) spec.bandwidth *= std::sqrt(static_cast<double>(o.target.dimension));
  return spec;
}

/// prod_l 1 / (1 + (x_il - x_jl)^2 / L^2).
Matrix<double> cauchy_matrix(const Matrix<double>& x, double bandwidth) {
  Matrix<double> k(x.rows(), x.rows());
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < x.rows(); ++j)
      k(i, j) = 1 / (1 + ((x.row(i) - x.row(j)) / bandwidth).array().square()).prod();
  return k;
}

using Features = rfm::RandomFeatures<double>;

double kernel_error_of(const KernelRow& row, const RandomFeaturesOptions& o, const Matrix<double>& x, Index count,
                       const RandomStream& stream) {
  const rfm::KernelSpec spec = spec_of(row, o);
  const auto identity = FeatureMatrix<double>::identity(x.cols());
  const rfm::SpectralDensity density =
      row.family ? *rfm::spectral_density(rfm::Kernel::make(spec)) : rfm::cauchy_kernel_density(spec.bandwidth);
  const Matrix<double> k =
      row.family ? rfm::kernel_matrix<double>(rfm::Kernel::make(spec), identity, x) : cauchy_matrix(x, spec.bandwidth);
  const Matrix<double> phi = Features(density, identity, x, {count, row.orthogonal}, stream).map(x);
  return relative_error(phi * phi.transpose(), k);
}

/// What ridge regression predicts at the test inputs, on features and with the kernel.
Matrix<double> predictions_of(const KernelRow& row, const RandomFeaturesOptions& o, const Split<double>& split,
                              Index count, const RandomStream& stream) {
  const Matrix<double>& x = split.train.inputs;
  auto features =
      std::make_shared<const Features>(rfm::Kernel::make(spec_of(row, o)), FeatureMatrix<double>::identity(x.cols()), x,
                                       rfm::RandomFeatureOptions{count, row.orthogonal}, stream);
  return rfm::fit_random_features<double>(std::move(features), x, split.train.targets, o.ridge)
      .machine.predict(split.test.inputs);
}
Matrix<double> exact_predictions(const KernelRow& row, const RandomFeaturesOptions& o, const Split<double>& split) {
  rfm::SolverOptions solver;
  solver.ridge = o.ridge;
  const Matrix<double>& x = split.train.inputs;
  return rfm::fit_kernel_machine<double>(spec_of(row, o), FeatureMatrix<double>::identity(x.cols()),
                                         std::make_shared<const Matrix<double>>(x), split.train.targets, solver,
                                         RandomStream(0))
      .machine.predict(split.test.inputs);
}

struct Measured {
  std::vector<LimitCurve> kernels, predictions, test_errors;
  std::vector<double> exact_errors;  ///< 1 - R^2 of the kernel machines, one for each of `test_errors`
};

Measured measure(const RandomFeaturesOptions& o, const Split<double>& split, const RandomStream& stream) {
  const Matrix<double> x = stream.named("points").normal_matrix<double>(o.points, o.target.dimension);
  Measured m;
  for (const KernelRow& row : kKernels) {
    const auto curve = [&](const char* suffix, const char* what,
                           const std::function<double(Index, const RandomStream&)>& error) {
      return limit_curve(std::string(row.name) + suffix, fmt::format("{}, {}", row.label, what), "number of features",
                         o.features, o.trials, stream, error);
    };
    m.kernels.push_back(
        curve("", "kernel", [&](Index count, const RandomStream& s) { return kernel_error_of(row, o, x, count, s); }));
    if (!row.predicts) continue;
    const Matrix<double> exact = exact_predictions(row, o, split);
    m.exact_errors.push_back(one_minus_r2(exact, split.test));
    m.predictions.push_back(curve("_predictions", "predictions", [&](Index count, const RandomStream& s) {
      return relative_error(predictions_of(row, o, split, count, s), exact);
    }));
    m.test_errors.push_back(curve("_test", "1 − R² on test", [&](Index count, const RandomStream& s) {
      return one_minus_r2(predictions_of(row, o, split, count, s), split.test);
    }));
  }
  return m;
}

double cosine(const FeatureMatrix<double>& a, const FeatureMatrix<double>& b) {
  return a.inner_product(b) / std::sqrt(a.inner_product(a) * b.inner_product(b));
}

/// The RFM on the largest number of features beside the RFM, last iterations, over the trials.
std::vector<Finding> rfm_findings(const RandomFeaturesOptions& o, const Split<double>& split,
                                  const RandomStream& stream) {
  rfm::RfmOptions options;
  options.kernel.family = KernelFamily::gaussian;
  options.kernel.bandwidth = o.rfm_bandwidth;
  options.solver.ridge = o.ridge;
  options.iterations = o.rfm_iterations;
  options.normalize_feature_matrix = rfm::MetricNormalization::trace;
  const rfm::RfmTrace<double> exact = rfm::fit_rfm<double>(split, options, stream);
  std::vector<double> gaps, cosines;
  for (Index trial = 0; trial < o.trials; ++trial) {
    const auto found = rfm::fit_random_feature_rfm<double>(split, options, {o.features.back(), false},
                                                           stream.named(fmt::format("rfm/{}", trial)));
    gaps.push_back(exact.iterations.back().test->r2 - found.iterations.back().test->r2);
    cosines.push_back(cosine(found.feature_matrices.back(), exact.feature_matrices.back()));
  }
  const MeanOfTrials gap = mean_of_trials(gaps), likeness = mean_of_trials(cosines);
  return {{"rfm.r2", "RFM: R² on test", exact.iterations.back().test->r2},
          {"rfm.r2_gain", "RFM: R² on test less that of its iteration 0",
           exact.iterations.back().test->r2 - exact.iterations.front().test->r2},
          {"rfm.r2_gap", "RFM less RFM on the most features: R² on test", gap.mean, "", gap.standard_error},
          {"rfm.matrix_cosine", "RFM on the most features: cosine of its M with the RFM's", likeness.mean, "",
           likeness.standard_error}};
}

std::vector<Finding> findings_of(const Measured& m) {
  std::vector<Finding> findings;
  for (const std::vector<LimitCurve>* curves : {&m.kernels, &m.predictions})
    for (const LimitCurve& curve : *curves)
      for (Finding& finding : limit_findings(curve)) findings.push_back(std::move(finding));
  for (std::size_t i = 0; i < m.test_errors.size(); ++i) {
    const LimitCurve& curve = m.test_errors[i];
    Finding excess{curve.name + ".excess", curve.label + ": at the most features, less the kernel machine's",
                   curve.errors.back() - m.exact_errors[i]};
    if (!curve.standard_errors.empty()) excess.standard_error = curve.standard_errors.back();
    findings.push_back(excess);
  }
  const LimitCurve &plain = m.kernels.front(), &orthogonal = m.kernels[3];
  Finding ratio{"orthogonal.error_ratio",
                "error of the Gaussian kernel on orthogonal features, as a share of plain ones",
                orthogonal.errors.back() / plain.errors.back()};
  if (!plain.standard_errors.empty())
    ratio.standard_error = ratio.value * std::hypot(orthogonal.standard_errors.back() / orthogonal.errors.back(),
                                                    plain.standard_errors.back() / plain.errors.back());
  findings.push_back(ratio);
  return findings;
}

std::vector<std::string> finding_names() {
  std::vector<std::string> names = {"orthogonal.error_ratio", "rfm.r2", "rfm.r2_gain", "rfm.r2_gap",
                                    "rfm.matrix_cosine"};
  for (const KernelRow& row : kKernels) {
    const std::string name = row.name;
    for (const std::string& curve : limit_finding_names(name)) names.push_back(curve);
    if (!row.predicts) continue;
    for (const std::string& curve : limit_finding_names(name + "_predictions")) names.push_back(curve);
    names.push_back(name + "_test.excess");
  }
  return names;
}

void draw(const Measured& m, const RunContext& run) {
  const auto plot = [](const char* title, const std::vector<LimitCurve>& curves) {
    viz::LinePlot result{title, "features D", "", true, true, {}, {}, {}};
    for (const LimitCurve& curve : curves)
      result.series.push_back({curve.label.substr(0, curve.label.rfind(',')), curve.sizes, curve.errors, true});
    return result;
  };
  viz::LinePlot tests = plot("1 − R² on test", m.test_errors);
  for (std::size_t i = 0; i < m.test_errors.size(); ++i) {
    const LimitCurve& curve = m.test_errors[i];
    tests.series.push_back({tests.series[i].label + ": kernel machine",
                            {curve.sizes.front(), curve.sizes.back()},
                            {m.exact_errors[i], m.exact_errors[i]},
                            false,
                            true,
                            true});
  }
  viz::draw_lines(
      {plot("Relative error of the kernel", m.kernels), plot("Relative error of predictions", m.predictions), tests},
      run.directory.path() / "images/random_features");
}

ExperimentSummary run_random_features(const RandomFeaturesOptions& o, const RunContext& run) {
  return in_section("random_features", [&] {
    const Split<double> split = make_low_rank<double>(o.target, o.samples, 0, o.test_size, run.stream);
    const Measured measured = measure(o, split, run.stream);
    ExperimentSummary summary;
    summary.conventions = {"gaussian", "laplace", "nngp"};
    summary.findings = findings_of(measured);
    for (Finding& finding : rfm_findings(o, split, run.stream)) summary.findings.push_back(std::move(finding));
    draw(measured, run);
    summary.figures = {{"random_features", "Random features and their kernels",
                        "Relative Frobenius error of the kernel of D random features, relative error of ridge "
                        "regression's predictions on them beside the kernel machine's, and 1 − R² on test of both, "
                        "against D."}};
    return summary;
  });
}

Plan plan_random_features(const RandomFeaturesOptions& o) {
  const double n = static_cast<double>(o.samples), rows = n + static_cast<double>(o.test_size);
  const double most = static_cast<double>(o.features.back()), d = static_cast<double>(o.target.dimension);
  const double least = std::min(n, most), fits = 6 + static_cast<double>(o.rfm_iterations + 1);
  PlannedStage stage{"features and ridge regression", {"products of matrices", ""}};
  // Numbers of features usually double: all of them cost about twice the largest.
  stage.cost.flops = 2 * static_cast<double>(o.trials) * fits * (2 * n * most * least + 3 * rows * most * (d + 20));
  stage.cost.working_bytes = 8 * (2 * rows * most + 2 * least * least);
  Plan plan;
  plan.size.dimension = o.target.dimension;
  plan.stages = {stage};
  return plan;
}

RandomFeaturesOptions parse_random_features(const Config& section) {
  constexpr Index kMost = 1'000'000;
  RandomFeaturesOptions o;
  o.target = parse_low_rank(section);
  o.points = section.get_at_least("points", o.points, Index{2}, kMost);
  o.samples = section.get_at_least("samples", o.samples, Index{2}, kMost);
  o.test_size = section.get_at_least("test_size", o.test_size, Index{2}, kMost);
  o.features = parse_sizes(section, "features", o.features);
  for (const Index count : o.features)
    if (count % 2 != 0) section.fail("features", "must be even: a cosine and a sine of each frequency");
  o.bandwidth = section.get_positive("bandwidth", o.bandwidth);
  o.ridge = section.get_positive("ridge", o.ridge);
  o.rfm_bandwidth = section.get_positive("rfm_bandwidth", o.rfm_bandwidth);
  o.rfm_iterations = section.get_at_least("rfm_iterations", o.rfm_iterations, Index{1}, Index{1000});
  o.trials = section.get_at_least("trials", o.trials, Index{1}, kMost);
  return o;
}

}  // namespace

PreparedExperiment prepare_random_features(const Config& root, const CommonOptions& common) {
  const RandomFeaturesOptions options = parse_random_features(root.section("random_features"));
  return prepare_without_data(
      common, parse_expectations(root, finding_names()), [=] { return plan_random_features(options); },
      [=](const RunContext& run) { return run_random_features(options, run); });
}

}  // namespace ansatz::experiments
