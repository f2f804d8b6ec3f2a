// Lazy training (Chizat, Oyallon and Bach 2019): what an output scale does to the training of one network.
//
// Networks alpha (f(x; theta) - f(x; theta_0)) with one output, in the NTK parameterisation, are trained by full-batch
// gradient descent on the squared error, its learning rate divided by alpha^2: their outputs would all move alike if
// they were linear in theta. Beside each goes its linearization f_lin at theta_0, by the closed form of its kernel,
// step for step. The target is a polynomial of few directions; inputs are N(0, I). Findings, slopes on log axes over
// alpha: sup_t |theta_t - theta_0| (theory: -1), sup_t |theta_t - theta_lin,t| (-2), sup_t of the distance of their
// outputs on test rows (-1); and at the least and the largest alpha how far the hidden features turned, and the test
// R^2 of network and linearization. Figure: these distances against alpha, and the R^2. Everything in double.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/data/metrics.h"
#include "core/data/synthetic/synthetic.h"
#include "experiments/kernels/descent.h"
#include "experiments/options/option_names.h"
#include "experiments/options/table_words.h"
#include "experiments/theory/limit_curves.h"
#include "experiments/without_data.h"
#include "nets/network_cost.h"
#include "nets/tangents/hidden_features.h"
#include "nets/tangents/kernel_descent.h"
#include "nets/tangents/linearization.h"
#include "nets/tangents/tangent_kernel.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {
namespace {

struct LazyTrainingOptions {
  LowRankOptions target;
  Index samples = 50, test_size = 500;
  Index width = 64, depth = 1;                           ///< hidden layers, all as wide
  nets::Activation activation = nets::Activation::gelu;  ///< an odd one would make the whole network odd
  std::vector<double> scales = {8, 16, 32, 64, 128};     ///< alpha
  double slopes_from = 0;                                ///< slopes are over the scales from this one on
  Index steps = 200;
  double rate = 0.5;  ///< as a share of the largest with which the linearization converges
  Index trials = 3;   ///< networks and data
};

std::vector<double>::const_iterator first_in_slopes(const LazyTrainingOptions& o) {
  return std::lower_bound(o.scales.begin(), o.scales.end(), o.slopes_from);
}

/// Of one network; distances are the largest over all steps.
struct LazyRun {
  double moved = 0, from_linear = 0, outputs = 0, turned = 0, network_r2 = 0, linear_r2 = 0;
};

struct Quantity {
  const char *name, *label;
  double LazyRun::*value;
};
constexpr std::array<Quantity, 3> kDistances = {
    {{"moved", "|θ − θ₀|", &LazyRun::moved},
     {"from_linear", "|θ − θ of the linearization|", &LazyRun::from_linear},
     {"outputs", "outputs less those of the linearization", &LazyRun::outputs}}};
constexpr std::array<Quantity, 3> kEnds = {
    {{"turned", "1 − cosine of hidden features before and after", &LazyRun::turned},
     {"network_r2", "test R² of the network", &LazyRun::network_r2},
     {"linear_r2", "test R² of its linearization", &LazyRun::linear_r2}}};

/// The linearization at `start`, as it trains.
class Linearization {
 public:
  Linearization(const nets::Mlp<double>& start, const Split<double>& split, double rate)
      : start_(start),
        x_(split.train.inputs),
        to_test_(nets::tangent_kernel(start, split.test.inputs, x_)),
        descent_(nets::tangent_kernel_matrix(start, x_), -split.train.targets),
        rate_(rate) {}

  /// theta - theta_0 after that many steps.
  nets::Parameters<double> moved(Index steps) const { return nets::pulled_back<double>(start_, x_, at(steps)); }
  /// On the test rows, less those before training.
  Matrix<double> outputs(Index steps) const { return to_test_ * at(steps); }

 private:
  Matrix<double> at(Index steps) const { return descent_.steps(steps, rate_); }

  const nets::Mlp<double>& start_;
  const Matrix<double>& x_;
  Matrix<double> to_test_;
  nets::KernelDescent descent_;
  double rate_;
};

LazyRun run_one(const LazyTrainingOptions& o, double scale, const Split<double>& split, const RandomStream& stream) {
  nets::MlpOptions architecture;
  architecture.hidden_layers.assign(static_cast<std::size_t>(o.depth), o.width);
  architecture.activation = o.activation;
  architecture.initialization = nets::Initialization::ntk;
  architecture.output_scale = scale;
  const nets::Mlp<double> start(split.train.dimension(), 1, architecture, stream);
  const Descent descent{o.steps, o.rate * largest_stable_rate(start, split.train.inputs)};
  const Linearization linear(start, split, descent.rate);
  const nets::Parameters<double> origin = nets::parameters(start);
  const Matrix<double>& test = split.test.inputs;
  LazyRun run;
  const nets::Mlp<double> end = descend(start, split.train, descent, [&](const nets::TrainState<double>& state) {
    const nets::Mlp<double> now = state.current();
    const nets::Parameters<double> moved = nets::plus(nets::parameters(now), origin, -1);
    run.moved = std::max(run.moved, nets::length(moved));
    run.from_linear = std::max(run.from_linear, nets::length(nets::plus(moved, linear.moved(state.epoch()), -1)));
    const Matrix<double> apart = gained(start, now, test) - linear.outputs(state.epoch());
    run.outputs = std::max(run.outputs, std::sqrt(apart.squaredNorm() / static_cast<double>(apart.size())));
  });
  run.turned = 1 - nets::feature_change(start, end, test).hidden_cosine.back();
  run.network_r2 = evaluate<double>(gained(start, end, test), split.test).r2;
  run.linear_r2 = evaluate<double>(linear.outputs(o.steps), split.test).r2;
  return run;
}

/// runs[trial][scale]; the same networks and data at every scale.
using Runs = std::vector<std::vector<LazyRun>>;

Runs runs_of(const LazyTrainingOptions& o, const RunContext& context) {
  Progress progress("lazy training", o.trials * static_cast<Index>(o.scales.size()), "networks", context.quiet);
  Runs runs;
  Index done = 0;
  for (Index trial = 0; trial < o.trials; ++trial) {
    const RandomStream stream = context.stream.named(fmt::format("trial/{}", trial));
    const Split<double> split =
        in_section("lazy_training", [&] { return make_low_rank<double>(o.target, o.samples, 0, o.test_size, stream); });
    runs.emplace_back();
    for (const double scale : o.scales) {
      runs.back().push_back(
          in_section("lazy_training", [&] { return run_one(o, scale, split, stream.named("network")); }));
      progress.update(++done);
    }
  }
  progress.finish();
  return runs;
}

/// Over the trials, at one scale.
MeanOfTrials mean_at(const Runs& runs, std::size_t scale, double LazyRun::*value) {
  std::vector<double> values;
  for (const std::vector<LazyRun>& trial : runs) values.push_back(trial[scale].*value);
  return mean_of_trials(values);
}

std::vector<double> means(const Runs& runs, double LazyRun::*value) {
  std::vector<double> all;
  for (std::size_t scale = 0; scale < runs.front().size(); ++scale) all.push_back(mean_at(runs, scale, value).mean);
  return all;
}

MeanOfTrials slope(const LazyTrainingOptions& o, const Runs& runs, double LazyRun::*value) {
  const auto first = static_cast<std::size_t>(first_in_slopes(o) - o.scales.begin());
  const std::vector<double> scales(first_in_slopes(o), o.scales.end());
  std::vector<double> slopes;
  for (const std::vector<LazyRun>& trial : runs) {
    std::vector<double> values;
    for (std::size_t scale = first; scale < trial.size(); ++scale) values.push_back(trial[scale].*value);
    slopes.push_back(log_slope(scales, values));
  }
  return mean_of_trials(slopes);
}

std::vector<Finding> findings_of(const LazyTrainingOptions& o, const Runs& runs) {
  std::vector<Finding> findings;
  for (const Quantity& distance : kDistances)
    findings.push_back(finding_of(fmt::format("{}.slope", distance.name),
                                  fmt::format("{}: slope over α", distance.label), slope(o, runs, distance.value)));
  for (const auto& [end, index] :
       {std::pair("feature_learning", std::size_t{0}), std::pair("lazy", o.scales.size() - 1)})
    for (const Quantity& q : kEnds)
      findings.push_back(finding_of(fmt::format("{}.{}", end, q.name),
                                    fmt::format("α = {:g}: {}", o.scales[index], q.label),
                                    mean_at(runs, index, q.value)));
  return findings;
}

std::vector<std::string> finding_names() {
  std::vector<std::string> names;
  for (const Quantity& distance : kDistances) names.push_back(fmt::format("{}.slope", distance.name));
  for (const char* end : {"feature_learning", "lazy"})
    for (const Quantity& q : kEnds) names.push_back(fmt::format("{}.{}", end, q.name));
  return names;
}

void draw(const LazyTrainingOptions& o, const Runs& runs, const RunContext& run) {
  viz::LinePlot distances{"Distances, the largest over all steps", "output scale α", "", true, true, {}, {}, {}};
  viz::LinePlot scores{"After training", "output scale α", "R²", true, false, {}, {}, {}};
  for (const Quantity& q : kDistances) distances.series.push_back({q.label, o.scales, means(runs, q.value), true});
  for (const Quantity& q : kEnds) {
    viz::LinePlot& plot = q.value == &LazyRun::turned ? distances : scores;
    plot.series.push_back({q.label, o.scales, means(runs, q.value), true});
  }
  viz::draw_lines({distances, scores}, run.directory.path() / "images/lazy_training");
}

ExperimentSummary run_lazy_training(const LazyTrainingOptions& o, const RunContext& run) {
  const Runs runs = runs_of(o, run);
  ExperimentSummary summary;
  summary.conventions = {"ntk"};
  summary.findings = findings_of(o, runs);
  draw(o, runs, run);
  summary.figures = {
      {"lazy_training", "Lazy training",
       "Left: how far the parameters move, and how far network and linearization come apart, in their "
       "parameters and in their outputs on test rows (root mean square); and how far the features of the "
       "last hidden layer have turned in the end. Right: the test R² of both."}};
  return summary;
}

Plan plan_lazy_training(const LazyTrainingOptions& o) {
  nets::MlpOptions architecture;
  architecture.hidden_layers.assign(static_cast<std::size_t>(o.depth), o.width);
  const double weights = nets::weight_count(architecture, o.target.dimension, 1), n = static_cast<double>(o.samples);
  const double rows = n + static_cast<double>(o.test_size), steps = static_cast<double>(o.steps);
  PlannedStage stage{"networks and linearizations", {"full-batch gradient descent", ""}};
  // A step: forward and back for the network and for the linearization, and the outputs on test rows.
  stage.cost.flops = static_cast<double>(o.trials * static_cast<Index>(o.scales.size())) *
                     (steps * (2 * weights * (6 * n + rows) + 4 * n * n) + 30 * n * n * n);
  stage.cost.working_bytes =
      8 * (10 * weights + 4 * n * rows + 3 * rows * static_cast<double>(o.width * (o.depth + 1)));
  Plan plan;
  plan.size.dimension = o.target.dimension;
  plan.stages = {stage};
  return plan;
}

LazyTrainingOptions parse_lazy_training(const Config& section) {
  constexpr Index kMost = 1'000'000;
  LazyTrainingOptions o;
  o.target = parse_low_rank(section);
  o.samples = section.get_at_least("samples", o.samples, Index{2}, kMost);
  o.test_size = section.get_at_least("test_size", o.test_size, Index{2}, kMost);
  o.width = section.get_at_least("width", o.width, Index{1}, kMost);
  o.depth = section.get_at_least("depth", o.depth, Index{1}, Index{1000});
  o.activation =
      section.get_choice("activation", "gelu", words(nets::activation_table(), &nets::ActivationInfo::activation));
  o.scales = section.get_list("scales", o.scales, 1e-6, 1e6);
  for (std::size_t i = 1; i < o.scales.size(); ++i)
    if (o.scales[i] <= o.scales[i - 1]) section.fail("scales", "must be increasing");
  if (o.scales.size() < 2) section.fail("scales", "must name at least two");
  o.slopes_from = section.get_at_least("slopes_from", o.slopes_from, 0.0, 1e6);
  if (o.scales.end() - first_in_slopes(o) < 2) section.fail("slopes_from", "must leave at least two of `scales`");
  o.steps = section.get_at_least("steps", o.steps, Index{1}, kMost);
  o.rate = section.get_positive("rate", o.rate, 1);
  o.trials = section.get_at_least("trials", o.trials, Index{1}, kMost);
  return o;
}

}  // namespace

PreparedExperiment prepare_lazy_training(const Config& root, const CommonOptions& common) {
  const LazyTrainingOptions options = parse_lazy_training(root.section("lazy_training"));
  return prepare_without_data(
      common, parse_expectations(root, finding_names()), [=] { return plan_lazy_training(options); },
      [=](const RunContext& run) { return run_lazy_training(options, run); });
}

}  // namespace ansatz::experiments
