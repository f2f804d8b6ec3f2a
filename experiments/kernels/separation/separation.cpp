// What fixed kernels and features cannot learn and networks can: a single neuron, and the staircase of degrees.
//
// Inputs are uniform on the sphere of radius sqrt(d), targets functions of w.x: a ReLU neuron, and the polynomials of
// degrees 1, 2 and 3 that are harmonic on the sphere. With n between d^l and d^(l+1) a kernel of cosines learns the
// part of degree l and no more (Ghorbani, Mei, Misiakiewicz and Montanari 2019), and N random features likewise in N;
// a network that moves its weights and an RFM, whose M finds w, need not follow that. Findings: test errors, 1 - R^2,
// of the neuron at the largest n, and by how much the logs of errors differ; that of random features and network at
// one number of units; the NTK on degree 3, which it does not have; and of kernel ridge regression the n at which each
// degree is learned. Figure: test error against n and N, and the staircase. Everything in double.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/kernels/separation/gegenbauer.h"
#include "experiments/kernels/separation/separation_pictures.h"
#include "experiments/options/option_names.h"
#include "experiments/theory/limit_curves.h"
#include "experiments/without_data.h"

namespace ansatz::experiments {
namespace {

Matrix<double> target_of(const TargetRow& target, const Vector<double>& direction, const Matrix<double>& x) {
  if (target.degree > 0) return gegenbauer_target(target.degree, direction, x);
  return (x * direction).cwiseMax(0.0);
}

Split<double> split_of(const SeparationOptions& o, const TargetRow& target, Index n, const RandomStream& stream) {
  const Vector<double> direction = sphere_points(1, o.dimension, stream.named("direction")).row(0).normalized();
  Split<double> split;
  split.train.inputs = sphere_points(n, o.dimension, stream.named("train"));
  split.test.inputs = sphere_points(o.test_size, o.dimension, stream.named("test"));
  for (Dataset<double>* part : {&split.train, &split.test}) part->targets = target_of(target, direction, part->inputs);
  return split;
}

void measure_sizes(const SeparationOptions& o, const TargetRow& target, const RandomStream& stream, TargetErrors& m) {
  for (std::size_t size = 0; size < o.sizes.size(); ++size) {
    for (auto& learner : m.errors) learner.emplace_back();
    for (Index trial = 0; trial < o.trials; ++trial) {
      const RandomStream drawn = stream.named(fmt::format("trial/{}", trial));
      const Split<double> split = split_of(o, target, o.sizes[size], drawn);
      m.errors[kRandom][size].push_back(random_relu_error(o.learners, split, o.units, drawn.named("features")));
      m.errors[kNtk][size].push_back(ntk_error(o.learners, split));
      m.errors[kLaplace][size].push_back(laplace_error(o.learners, split));
      m.errors[kNetwork][size].push_back(network_error(o.learners, split, o.units, drawn));
      m.errors[kRfm][size].push_back(rfm_error(o.learners, split, drawn));
    }
  }
}

void measure_units(const SeparationOptions& o, const TargetRow& target, const RandomStream& stream, TargetErrors& m) {
  for (std::size_t i = 0; i < o.features.size(); ++i) {
    for (auto& learner : m.by_units) learner.emplace_back();
    for (Index trial = 0; trial < o.trials; ++trial) {
      const RandomStream drawn = stream.named(fmt::format("trial/{}", trial));
      const Split<double> split = split_of(o, target, o.sizes.back(), drawn);
      m.by_units[0][i].push_back(random_relu_error(o.learners, split, o.features[i], drawn.named("features")));
      m.by_units[1][i].push_back(network_error(o.learners, split, o.features[i], drawn));
    }
  }
}

std::vector<TargetErrors> measure(const SeparationOptions& o, const RunContext& run) {
  std::vector<TargetErrors> result;
  Progress progress("targets", static_cast<Index>(kTargets.size()), "targets", run.quiet);
  for (const TargetRow& target : kTargets) {
    TargetErrors m;
    measure_sizes(o, target, run.stream, m);
    measure_units(o, target, run.stream, m);
    result.push_back(std::move(m));
    progress.update(static_cast<Index>(result.size()));
  }
  progress.finish();
  return result;
}

/// log10 of the first error over the second, over the trials.
MeanOfTrials decades(const std::vector<double>& first, const std::vector<double>& second) {
  std::vector<double> logs;
  for (std::size_t i = 0; i < first.size(); ++i) logs.push_back(std::log10(first[i] / second[i]));
  return mean_of_trials(logs);
}

std::vector<Finding> findings_of(const SeparationOptions& o, const std::vector<TargetErrors>& measured) {
  const TargetErrors &neuron = measured[0], &cubic = measured[3];
  const auto last = [](const TargetErrors& m, std::size_t learner) { return m.errors[learner].back(); };
  const std::string at = fmt::format("n = {}", o.sizes.back());
  const std::string few = fmt::format("{} units", o.features.front());
  return {finding_of("neuron.network", "neuron: 1 − R² of the network, " + at, mean_of_trials(last(neuron, kNetwork))),
          finding_of("neuron.rfm", "neuron: 1 − R² of the RFM, " + at, mean_of_trials(last(neuron, kRfm))),
          finding_of("neuron.laplace", "neuron: 1 − R² of the Laplace kernel, " + at,
                     mean_of_trials(last(neuron, kLaplace))),
          finding_of("neuron.ntk", "neuron: 1 − R² of the NTK, " + at, mean_of_trials(last(neuron, kNtk))),
          finding_of("neuron.ntk_over_network", "neuron: log₁₀ of the NTK's error over the network's",
                     decades(last(neuron, kNtk), last(neuron, kNetwork))),
          finding_of("neuron.laplace_over_rfm", "neuron: log₁₀ of the Laplace kernel's error over the RFM's",
                     decades(last(neuron, kLaplace), last(neuron, kRfm))),
          finding_of("neuron.few_features", "neuron: 1 − R² of random features, " + few,
                     mean_of_trials(neuron.by_units[0].front())),
          finding_of("neuron.few_units", "neuron: 1 − R² of the network, " + few,
                     mean_of_trials(neuron.by_units[1].front())),
          finding_of("cubic.ntk", "degree 3: 1 − R² of the NTK, " + at, mean_of_trials(last(cubic, kNtk))),
          finding_of("cubic.laplace_over_rfm", "degree 3: log₁₀ of the Laplace kernel's error over the RFM's",
                     decades(last(cubic, kLaplace), last(cubic, kRfm)))};
}

std::vector<std::string> finding_names() {
  std::vector<std::string> names = {"neuron.network",
                                    "neuron.rfm",
                                    "neuron.laplace",
                                    "neuron.ntk",
                                    "neuron.few_features",
                                    "neuron.few_units",
                                    "neuron.ntk_over_network",
                                    "neuron.laplace_over_rfm",
                                    "cubic.ntk",
                                    "cubic.laplace_over_rfm"};
  for (std::string& name : staircase_finding_names()) names.push_back(std::move(name));
  return names;
}

ExperimentSummary run_separation(const SeparationOptions& o, const RunContext& run) {
  return in_section("separation", [&] {
    const std::vector<TargetErrors> measured = measure(o, run);
    const std::vector<StaircaseCurves> curves = staircase(o.staircase, run.stream);
    ExperimentSummary summary;
    summary.conventions = {"laplace", "ntk", "nngp"};
    summary.findings = findings_of(o, measured);
    for (Finding& finding : staircase_findings(o.staircase, curves)) summary.findings.push_back(std::move(finding));
    draw_targets(o, measured, run.directory.path() / "images");
    draw_staircase(o, curves, run.directory.path() / "images");
    summary.figures = {
        {"separation_samples", "Test error against n",
         fmt::format(
             "1 − R² on test of a ReLU neuron and of polynomials of one direction, on a sphere in {} dimensions; "
             "{} random features or hidden units. Bands: standard errors.",
             o.dimension, o.units)},
        {"separation_units", "Test error against features or hidden units",
         fmt::format("The same at n = {}, against the number of random features, and of hidden units of a trained "
                     "network.",
                     o.sizes.back())},
        {"staircase", "The staircase of kernel ridge regression",
         "Laplace kernel, a target of degrees 1, 2 and 3: the error of what is predicted in each degree, against log n "
         "/ "
         "log d, which theory says to be the degree where it is learned."}};
    return summary;
  });
}

Plan plan_separation(const SeparationOptions& o) {
  const double n = static_cast<double>(o.sizes.back()), test = static_cast<double>(o.test_size);
  const double d = static_cast<double>(o.dimension), units = static_cast<double>(std::max(o.units, o.features.back()));
  const double trials = static_cast<double>(o.trials), targets = static_cast<double>(kTargets.size());
  const double most = static_cast<double>(o.staircase.sizes.back());
  PlannedStage learners{"kernels and networks", {"solves and training", ""}};
  // Numbers of rows and units usually double: all of them cost about twice the largest.
  const double kernels =
      (3 + static_cast<double>(o.learners.rfm_iterations)) * (n * n * n + n * (n + test) * (2 * d + 20));
  const double networks = 2 * static_cast<double>(o.learners.epochs) * 6 * n * d * units;
  learners.cost.flops = 2 * trials * targets * (kernels + networks + 2 * (n + test) * units * (units + d));
  learners.cost.working_bytes = 8 * (2 * n * n + test * (n + units));
  PlannedStage stairs{"staircase", {"solves", ""}};
  stairs.cost.flops =
      2 * static_cast<double>(o.staircase.dimensions.size() * static_cast<std::size_t>(o.staircase.trials)) * most *
      most * most / 2;
  stairs.cost.working_bytes = 8 * 6 * most * most;
  Plan plan;
  plan.size.dimension = o.dimension;
  plan.stages = {learners, stairs};
  return plan;
}

StaircaseOptions parse_staircase(const Config& section) {
  constexpr Index kMost = 1'000'000;
  StaircaseOptions o;
  o.dimensions = parse_sizes(section, "dimensions", o.dimensions);
  if (o.dimensions.front() < 3) section.fail("dimensions", "must be at least 3");
  o.sizes = parse_sizes(section, "sizes", o.sizes);
  if (o.sizes.front() < 2) section.fail("sizes", "must be at least 2");
  o.bandwidth = section.get_positive("bandwidth", o.bandwidth);
  o.ridge = section.get_positive("ridge", o.ridge);
  o.trials = section.get_at_least("trials", o.trials, Index{1}, kMost);
  return o;
}

SeparationOptions parse_separation(const Config& section) {
  constexpr Index kMost = 1'000'000;
  SeparationOptions o;
  o.dimension = section.get_at_least("dimension", o.dimension, Index{3}, kMost);
  o.sizes = parse_sizes(section, "sizes", o.sizes);
  if (o.sizes.front() < 2) section.fail("sizes", "must be at least 2");
  o.features = parse_sizes(section, "features", o.features);
  o.units = section.get_at_least("units", o.units, Index{1}, kMost);
  o.test_size = section.get_at_least("test_size", o.test_size, Index{2}, kMost);
  o.learners.bandwidth = section.get_positive("bandwidth", o.learners.bandwidth);
  o.learners.ridge = section.get_positive("ridge", o.learners.ridge);
  o.learners.rfm_iterations = section.get_at_least("rfm_iterations", o.learners.rfm_iterations, Index{1}, Index{1000});
  o.learners.epochs = section.get_at_least("epochs", o.learners.epochs, Index{1}, kMost);
  o.learners.learning_rate = section.get_positive("learning_rate", o.learners.learning_rate);
  o.trials = section.get_at_least("trials", o.trials, Index{1}, kMost);
  o.staircase = parse_staircase(section.section("staircase"));
  return o;
}

}  // namespace

PreparedExperiment prepare_separation(const Config& root, const CommonOptions& common) {
  const SeparationOptions options = parse_separation(root.section("separation"));
  return prepare_without_data(
      common, parse_expectations(root, finding_names()), [=] { return plan_separation(options); },
      [=](const RunContext& run) { return run_separation(options, run); });
}

}  // namespace ansatz::experiments
