// The paper's theorem and propositions, checked numerically (Table 1, section 5, appendices A and C).
//
// Findings: how fast both sides of Theorem 1 and Propositions 3 to 5 approach each other (slope of the error over the
// width, or over the number of draws for Proposition 3), the error at the largest, Proposition 1's error, the samples
// that Proposition 2's kernel needs in more and more dimensions, with M and without, and test errors at the largest
// sample. Theorem 1 and Proposition 3 for random W_1 and for that of a trained network. Figures: error against width,
// samples against dimension, test error against n, all on log axes. No data, all in double.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "experiments/theory/limit_curves.h"
#include "experiments/theory/required_samples.h"
#include "experiments/theory/sample_complexity.h"
#include "experiments/theory/theory_limits.h"
#include "experiments/theory/trained_first_layer.h"
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
  TrainedFirstLayerOptions trained;                           ///< W_1 of Theorem 1 and Proposition 3, trained
  SampleComplexityOptions samples_needed;                     ///< Proposition 2, test errors in one dimension
  RequiredSamplesOptions required;                            ///< Proposition 2, samples in several
};

constexpr Index kCheap = 40;  // times as many trials of the propositions, which vary more
constexpr Index kWidest = 1'000'000, kMostTrials = 1'000'000;

void parse_complexity(const Config& section, TheoryOptions& o) {
  SampleComplexityOptions& s = o.samples_needed;
  s.target = parse_low_rank(section);
  s.degree = section.get_at_least("degree", s.degree, Index{1}, Index{16});
  s.ridge = section.get_positive("ridge", s.ridge);
  s.bandwidth = section.get_positive("bandwidth", s.bandwidth);
  s.rfm_iterations = section.get_at_least("rfm_iterations", s.rfm_iterations, Index{1}, kMostTrials);
  s.sizes = parse_sizes(section, "sizes", s.sizes);
  s.test_size = section.get_at_least("test_size", s.test_size, Index{2});
  s.repeats = section.get_at_least("repeats", s.repeats, Index{1}, kMostTrials);
  RequiredSamplesOptions& r = o.required;
  r = {s.target, s.degree, s.ridge, r.epsilon, r.dimensions, s.test_size, s.repeats};
  r.epsilon = section.get_positive("epsilon", r.epsilon, 1);
  r.dimensions = parse_sizes(section, "dimensions", r.dimensions);
}

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
  parse_complexity(section.section("sample_complexity"), o);
  const Config trained = section.section("trained");
  o.trained.target = o.samples_needed.target;
  o.trained.target.dimension = o.dimension;
  o.trained.width = o.first_width;
  o.trained.samples = trained.get_at_least("samples", o.trained.samples, Index{2}, kMostTrials);
  o.trained.epochs = trained.get_at_least("epochs", o.trained.epochs, Index{1}, kMostTrials);
  o.trained.learning_rate = trained.get_positive("learning_rate", o.trained.learning_rate);
  return o;
}

/// Theorem 1 and Proposition 3 for this W_1. `name` and `label` say which it is.
std::vector<LimitCurve> nonlinear_curves(const TheoryOptions& o, const Matrix<double>& w1, const std::string& name,
                                         const std::string& label, const RandomStream& stream) {
  const auto theorem = [&](Index k, const RandomStream& s) {
    return theorem1_error(w1, o.outer_layers, k, o.points, s);
  };
  const auto proposition = [&](Index draws, const RandomStream& s) { return proposition3_error(w1, draws, s); };
  return {limit_curve("theorem1" + name, "Theorem 1, width of the outer layers" + label, "width", o.widths, o.trials,
                      stream, theorem),
          limit_curve("proposition3" + name, "Proposition 3, draws of the outer weights" + label, "number of draws",
                      o.widths, kCheap * o.trials, stream, proposition)};
}

/// Propositions 4 and 5.
std::vector<LimitCurve> linear_curves(const TheoryOptions& o, const RandomStream& stream) {
  const Matrix<double> x = stream.named("x").normal_matrix<double>(o.samples, o.dimension);
  const Vector<double> y = stream.named("y").normal_matrix<double>(o.samples, 1);
  LinearTraining first, both;
  first.steps = o.steps;
  both.train_outer = true;  // the paper's proof holds for two steps
  const auto error_of = [&](const LinearTraining& training) {
    return [&](Index k, const RandomStream& s) { return linear_network_error(x, y, k, training, s); };
  };
  return {limit_curve("proposition4", "Proposition 4, width", "width", o.widths, kCheap * o.trials, stream,
                      error_of(first)),
          limit_curve("proposition5", "Proposition 5, width", "width", o.widths, kCheap * o.trials, stream,
                      error_of(both))};
}

std::vector<LimitCurve> limit_curves(const TheoryOptions& o, const Matrix<double>& trained,
                                     const RandomStream& stream) {
  const Matrix<double> random = stream.named("W1").normal_matrix<double>(o.first_width, o.dimension);
  std::vector<LimitCurve> curves = nonlinear_curves(o, random, "", "", stream);
  for (std::vector<LimitCurve> more :
       {linear_curves(o, stream), nonlinear_curves(o, trained, "_trained", ", trained W₁", stream)})
    for (LimitCurve& curve : more) curves.push_back(std::move(curve));
  return curves;
}

std::vector<std::string> finding_names() {
  std::vector<std::string> names = {"proposition1.error"};
  for (const char* curve :
       {"theorem1", "proposition3", "proposition4", "proposition5", "theorem1_trained", "proposition3_trained"})
    for (std::string& name : limit_finding_names(curve)) names.push_back(std::move(name));
  for (const SampleComplexityModel& model : kSampleComplexityModels)
    names.push_back(fmt::format("proposition2.{}", model.name));
  for (const char* name : {"proposition2.known_samples", "proposition2.known_growth", "proposition2.without_samples",
                           "proposition2.without_growth", "trained.share_before", "trained.share", "trained.r2"})
    names.emplace_back(name);
  return names;
}

Figure draw(const std::vector<LimitCurve>& curves, const RunContext& run) {
  draw_limits("Both sides approach each other", "width (Proposition 3: draws)", curves,
              run.directory.path() / "images" / "limits");
  return {"limits", "Error against width",
          "Relative Frobenius distance of the gradient outer product from the feature matrix it tends to, against the "
          "width (Proposition 3: the number of draws of the outer weights)."};
}

std::vector<double> means_of(const std::vector<MeanOfTrials>& values) {
  std::vector<double> means;
  for (const MeanOfTrials& value : values) means.push_back(value.mean);
  return means;
}

Figure draw_required(const RequiredSamplesOptions& o, const RequiredSamplesOfBoth& needed, const RunContext& run) {
  viz::LinePlot plot{"Proposition 2", "dimension", "training samples", true, true, {}, {}, {}};
  const std::vector<double> d(o.dimensions.begin(), o.dimensions.end());
  plot.series = {{"M known", d, means_of(needed.known.samples), true},
                 {"without M", d, means_of(needed.without.samples), true}};
  viz::draw_lines({plot}, run.directory.path() / "images" / "required_samples");
  return {"required_samples", "Samples needed against the dimension",
          fmt::format("Training samples with which the polynomial kernel of degree {} leaves 1 − R² ≤ {:g} on {}, with "
                      "M = E[∇f∇fᵀ] and with M = I, against the dimension of the inputs.",
                      o.degree, o.epsilon, o.target.target)};
}

Figure draw_complexity(const SampleComplexityOptions& o, const std::vector<SampleComplexityCurve>& curves,
                       const RunContext& run) {
  viz::LinePlot plot{"Proposition 2", "training samples", "1 − R² on test", true, true, {}, {}, {}};
  const std::vector<double> sizes(o.sizes.begin(), o.sizes.end());
  for (const SampleComplexityCurve& curve : curves)
    plot.series.push_back({curve.model.label, sizes, means_of(curve.errors), true});
  viz::draw_lines({plot}, run.directory.path() / "images" / "sample_complexity");
  return {"sample_complexity", "Test error against n",
          fmt::format("Test error on {} in {} dimensions against the number of training samples: with M learned (RFM), "
                      "with M = E[∇f∇fᵀ] known, and without M.",
                      o.target.target, o.target.dimension)};
}

void add(const std::vector<LimitCurve>& curves, ExperimentSummary& summary) {
  for (const LimitCurve& curve : curves)
    for (Finding& finding : limit_findings(curve)) summary.findings.push_back(std::move(finding));
}

/// Of one kernel of Proposition 2: n(epsilon) at the largest dimension, and how it grows.
void add(const RequiredSamples& needed, const RequiredSamplesOptions& o, const std::string& name, const char* label,
         ExperimentSummary& summary) {
  const std::string kernel = fmt::format("polynomial kernel {}", label);
  summary.findings.push_back(finding_of(
      "proposition2." + name + "_samples",
      fmt::format("Proposition 2: samples to 1 − R² ≤ {:g} with d = {}, {}", o.epsilon, o.dimensions.back(), kernel),
      needed.samples.back()));
  summary.findings.push_back(finding_of("proposition2." + name + "_growth",
                                        fmt::format("Proposition 2: slope of log samples over log d, {}", kernel),
                                        needed.growth));
}

void add(const TrainedFirstLayer& trained, ExperimentSummary& summary) {
  summary.findings.push_back(
      {"trained.share_before", "W₁ᵀW₁ in the target's subspace, before training", trained.share_before});
  summary.findings.push_back({"trained.share", "W₁ᵀW₁ in the target's subspace, trained", trained.share});
  summary.findings.push_back({"trained.r2", "R² of the trained network", trained.r2});
}

ExperimentSummary run_theory(const TheoryOptions& o, const RunContext& run) {
  ExperimentSummary summary;
  summary.conventions = {"distance",  "inner_product",  "ridge", "agop",    "feature_matrix",
                         "centering", "rfm_iterations", "r2",    "laplace", "polynomial"};
  summary.findings.push_back({"proposition1.error", "Proposition 1: relative error of K_M against the ideal kernel",
                              proposition1_error(o.dimension, o.points, run.stream.named("proposition1"))});
  Progress progress("theory", 3, "part", run.quiet);
  const TrainedFirstLayer trained = train_first_layer(o.trained, run.stream.named("trained"));
  const std::vector<LimitCurve> limits = limit_curves(o, trained.weight, run.stream);
  add(limits, summary);
  progress.update(1);
  const std::vector<SampleComplexityCurve> curves = sample_complexity(o.samples_needed, run.stream.named("samples"));
  for (const SampleComplexityCurve& curve : curves)
    summary.findings.push_back(finding_of(
        fmt::format("proposition2.{}", curve.model.name),
        fmt::format("Proposition 2: 1 − R² with {} samples, {}", o.samples_needed.sizes.back(), curve.model.label),
        curve.errors.back()));
  progress.update(2);
  const RequiredSamplesOfBoth needed = required_samples(o.required, run.stream.named("samples"));
  add(needed.known, o.required, "known", "with M", summary);
  add(needed.without, o.required, "without", "without M", summary);
  add(trained, summary);
  progress.update(3);
  progress.finish();
  summary.figures = {draw(limits, run), draw_required(o.required, needed, run),
                     draw_complexity(o.samples_needed, curves, run)};
  return summary;
}

/// Weights of the widest outer layers, and the largest kernel matrix of Proposition 2 with its copies.
Plan plan_theory(const TheoryOptions& o) {
  const auto width = static_cast<double>(o.widths.back()), n = static_cast<double>(o.samples_needed.sizes.back());
  const auto d = static_cast<double>(o.dimension), layers = static_cast<double>(o.outer_layers);
  const auto points = static_cast<double>(o.points * o.trials), repeats = static_cast<double>(o.samples_needed.repeats);
  PlannedStage limits{"Theorem 1, Propositions 3 to 5", {"products of small matrices", ""}};
  limits.cost.flops = 2 * 2 * points * 2 * layers * width * width * d;  // two W_1; widths double: twice the largest
  const auto k = static_cast<double>(o.first_width), drawn = static_cast<double>(o.points);
  const double rows = k + static_cast<double>(o.samples) + drawn;  // of the first weights and of the inputs
  limits.cost.working_bytes = 8 * (layers * width * width + rows * d + 4 * d * d + 3 * k * k + 3 * drawn * drawn);
  PlannedStage samples{"Proposition 2", {"kernel systems by Cholesky", ""}};
  samples.cost.flops = 2 * repeats * static_cast<double>(o.samples_needed.rfm_iterations + 5) * n * n * n / 3;
  const auto inputs = n + static_cast<double>(o.samples_needed.test_size);
  samples.cost.working_bytes = 8 * (3 * n * n + inputs * static_cast<double>(o.samples_needed.target.dimension));
  const RequiredSamplesOptions& r = o.required;
  const double most = monomials(r.dimensions.back(), r.degree);  // what is needed without M, found within twice that
  samples.cost.flops += repeats * 2 * std::log2(most) * most * most * most / 3;
  samples.cost.working_bytes =
      std::max(samples.cost.working_bytes, 8 * (3 * 4 * most * most + (4 * most + static_cast<double>(r.test_size)) *
                                                                          static_cast<double>(r.dimensions.back())));
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
