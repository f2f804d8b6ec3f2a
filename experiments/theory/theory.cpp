// The paper's theorem and propositions, checked numerically (Table 1, section 5, appendices A and C).
//
// Findings: how fast both sides of Theorem 1 and Propositions 3 to 5 approach each other (slope of the error over the
// width, or over the number of draws for Proposition 3), the error at the largest, Proposition 1's error, and the test
// errors of Proposition 2 at the largest sample. Figures: error against width, and test error against n, both on log
// axes. No data, all in double.
#include <fmt/format.h>

#include <utility>

#include "experiments/theory/limit_curves.h"
#include "experiments/theory/sample_complexity.h"
#include "experiments/theory/theory_limits.h"
#include "experiments/without_data.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {
namespace {

struct TheoryOptions {
  Index dimension = 10, first_width = 16;                     ///< d and k_1
  Index outer_layers = 2;                                     ///< of Theorem 1
  Index points = 2000;                                        ///< x drawn for Theorem 1
  Index trials = 5;                                           ///< whose errors are averaged
  std::vector<Index> widths = {32, 64, 128, 256, 512, 1024};  ///< or draws, for Proposition 3
  Index samples = 40, steps = 10;                             ///< training data and steps of Proposition 4
  SampleComplexityOptions samples_needed;                     ///< Proposition 2
};

constexpr Index kWidest = 1'000'000, kMostTrials = 1'000'000;

TheoryOptions parse_theory(const Config& root) {
  const Config section = root.section("theory");
  TheoryOptions o;
  o.dimension = section.get_at_least("dimension", o.dimension, Index{2}, kWidest);
  o.first_width = section.get_at_least("first_width", o.first_width, Index{1}, kWidest);
  o.outer_layers = section.get_at_least("outer_layers", o.outer_layers, Index{1}, Index{1000});
  o.points = section.get_at_least("points", o.points, Index{1});
  o.trials = section.get_at_least("trials", o.trials, Index{1}, kMostTrials);
  o.widths = parse_sizes(section, "widths", o.widths);
  o.samples = section.get_at_least("samples", o.samples, Index{2});
  o.steps = section.get_at_least("steps", o.steps, Index{1}, kMostTrials);
  const Config complexity = section.section("sample_complexity");
  SampleComplexityOptions& s = o.samples_needed;
  s.target = parse_low_rank(complexity);
  s.degree = complexity.get_at_least("degree", s.degree, Index{1}, Index{16});
  s.ridge = complexity.get_positive("ridge", s.ridge);
  s.bandwidth = complexity.get_positive("bandwidth", s.bandwidth);
  s.rfm_iterations = complexity.get_at_least("rfm_iterations", s.rfm_iterations, Index{1}, kMostTrials);
  s.sizes = parse_sizes(complexity, "sizes", s.sizes);
  s.test_size = complexity.get_at_least("test_size", s.test_size, Index{2});
  s.repeats = complexity.get_at_least("repeats", s.repeats, Index{1}, kMostTrials);
  return o;
}

std::vector<LimitCurve> limit_curves(const TheoryOptions& o, const RandomStream& stream) {
  const Matrix<double> w1 = stream.named("W1").normal_matrix<double>(o.first_width, o.dimension);
  const Matrix<double> x = stream.named("x").normal_matrix<double>(o.samples, o.dimension);
  const Vector<double> y = stream.named("y").normal_matrix<double>(o.samples, 1);
  const Index many = 40 * o.trials;  // cheap, and their errors vary more
  LinearTraining first, both;
  first.steps = o.steps;
  both.train_outer = true;  // the paper's proof holds for two steps
  return {
      limit_curve("theorem1", "Theorem 1, width of the outer layers", o.widths, o.trials, stream,
                  [&](Index k, const RandomStream& s) { return theorem1_error(w1, o.outer_layers, k, o.points, s); }),
      limit_curve("proposition3", "Proposition 3, draws of the outer weights", o.widths, many, stream,
                  [&](Index draws, const RandomStream& s) { return proposition3_error(w1, draws, s); }),
      limit_curve("proposition4", "Proposition 4, width", o.widths, many, stream,
                  [&](Index k, const RandomStream& s) { return linear_network_error(x, y, k, first, s); }),
      limit_curve("proposition5", "Proposition 5, width", o.widths, many, stream,
                  [&](Index k, const RandomStream& s) { return linear_network_error(x, y, k, both, s); })};
}

std::vector<std::string> finding_names() {
  std::vector<std::string> names = {"proposition1.error"};
  for (const char* curve : {"theorem1", "proposition3", "proposition4", "proposition5"})
    for (std::string& name : limit_finding_names(curve)) names.push_back(std::move(name));
  for (const SampleComplexityModel& model : kSampleComplexityModels)
    names.push_back(fmt::format("proposition2.{}", model.name));
  return names;
}

Figure draw(const std::vector<LimitCurve>& curves, const RunContext& run) {
  draw_limits("Both sides approach each other", "width (Proposition 3: draws)", curves,
              run.directory.path() / "images" / "limits");
  return {"limits", "Error against width",
          "Relative Frobenius distance of the gradient outer product from the feature matrix it tends to, against the "
          "width (Proposition 3: the number of draws of the outer weights)."};
}

Figure draw_complexity(const SampleComplexityOptions& o, const std::vector<SampleComplexityCurve>& curves,
                       const RunContext& run) {
  viz::LinePlot plot{"Proposition 2", "training samples", "1 − R² on test", true, true, {}, {}, {}};
  const std::vector<double> sizes(o.sizes.begin(), o.sizes.end());
  for (const SampleComplexityCurve& curve : curves)
    plot.series.push_back({curve.model.label, sizes, curve.errors, true});
  viz::draw_lines({plot}, run.directory.path() / "images" / "sample_complexity");
  return {"sample_complexity", "Test error against n",
          fmt::format("Test error on {} in {} dimensions against the number of training samples: with M learned (RFM), "
                      "with M = E[∇f∇fᵀ] known, and without M.",
                      o.target.target, o.target.dimension)};
}

ExperimentSummary run_theory(const TheoryOptions& o, const RunContext& run) {
  ExperimentSummary summary;
  summary.findings.push_back({"proposition1.error", "Proposition 1: relative error of K_M against the ideal kernel",
                              proposition1_error(o.dimension, o.points, run.stream.named("proposition1"))});
  Progress progress("theory", 2, "part", run.quiet);
  const std::vector<LimitCurve> limits = limit_curves(o, run.stream);
  for (const LimitCurve& curve : limits)
    for (Finding& finding : limit_findings(curve)) summary.findings.push_back(std::move(finding));
  progress.update(1);
  const std::vector<SampleComplexityCurve> curves = sample_complexity(o.samples_needed, run.stream.named("samples"));
  for (const SampleComplexityCurve& curve : curves)
    summary.findings.push_back(
        {fmt::format("proposition2.{}", curve.model.name),
         fmt::format("Proposition 2: 1 − R² with {} samples, {}", o.samples_needed.sizes.back(), curve.model.label),
         curve.errors.back()});
  progress.update(2);
  progress.finish();
  summary.figures = {draw(limits, run), draw_complexity(o.samples_needed, curves, run)};
  return summary;
}

/// Weights of the widest outer layers, and the largest kernel matrix of Proposition 2 with its copies.
Plan plan_theory(const TheoryOptions& o) {
  const auto width = static_cast<double>(o.widths.back()), n = static_cast<double>(o.samples_needed.sizes.back());
  const auto d = static_cast<double>(o.dimension), layers = static_cast<double>(o.outer_layers);
  const auto points = static_cast<double>(o.points * o.trials), repeats = static_cast<double>(o.samples_needed.repeats);
  PlannedStage limits{"Theorem 1, Propositions 3 to 5", {"products of small matrices", ""}};
  limits.cost.flops = 2 * points * 2 * layers * width * width * d;  // widths double, so twice the largest
  const auto k = static_cast<double>(o.first_width), drawn = static_cast<double>(o.points);
  const double rows = k + static_cast<double>(o.samples) + drawn;  // of the first weights and of the inputs
  limits.cost.working_bytes = 8 * (layers * width * width + rows * d + 4 * d * d + 3 * k * k + 3 * drawn * drawn);
  PlannedStage samples{"Proposition 2", {"kernel systems by Cholesky", ""}};
  samples.cost.flops = 2 * repeats * static_cast<double>(o.samples_needed.rfm_iterations + 5) * n * n * n / 3;
  const auto inputs = n + static_cast<double>(o.samples_needed.test_size);
  samples.cost.working_bytes = 8 * (3 * n * n + inputs * static_cast<double>(o.samples_needed.target.dimension));
  Plan plan;
  plan.size.dimension = o.dimension;
  plan.stages = {limits, samples};
  return plan;
}

}  // namespace

PreparedExperiment prepare_theory(const Config& root, const CommonOptions& common) {
  const TheoryOptions options = parse_theory(root);
  return prepare_without_data(
      common, parse_expectations(root, finding_names()), [=] { return plan_theory(options); },
      [=](const RunContext& run) { return run_theory(options, run); });
}

}  // namespace ansatz::experiments
