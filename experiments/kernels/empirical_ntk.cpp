// The empirical neural tangent kernel (NTK) of networks of growing width: at initialisation, and after training.
//
// At initialisation, in the NTK parameterisation, it approaches the analytic kernel `ntk` as the width to the power
// -1/2. Then networks of PyTorch's, the NTK and the maximal-update parameterisation are trained by full-batch gradient
// descent, each at the same share of its largest stable learning rate, on a polynomial of few directions with N(0, I)
// inputs. Findings: the slope of that distance; of each parameterisation the slope of the drift |Theta_t - Theta_0| /
// |Theta_0| over the width (at most -1/2 in theory for the first two, Lee et al. 2019; 0 for the last, Yang and Hu
// 2021), and at the largest width the alignment of the kernel with the targets before and after, and the test R^2 of
// the network, of ridge regression with its kernel before and after, and with the last layer's. Figure: distance and
// drift over the width, and the R^2. Everything in double.
#include <fmt/format.h>

#include <array>

#include "core/data/metrics.h"
#include "core/data/synthetic/synthetic.h"
#include "core/linalg/alignment.h"
#include "experiments/kernels/descent.h"
#include "experiments/kernels/tangents_between.h"
#include "experiments/options/option_names.h"
#include "experiments/theory/limit_curves.h"
#include "experiments/without_data.h"
#include "nets/network_cost.h"
#include "nets/tangents/tangent_kernel.h"
#include "rfm/pairs/kernel_matrix.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {
namespace {

using nets::Initialization;

struct EmpiricalNtkOptions {
  LowRankOptions target;
  Index samples = 200, test_size = 1000;
  std::vector<Index> widths = {64, 128, 256, 512, 1024};
  Index depth = 1;      ///< hidden layers (ReLU, no biases), all as wide
  Index steps = 500;    ///< of full-batch gradient descent on f - f_0
  double rate = 0.2;    ///< as a share of the largest with which the network's linearization converges
  double ridge = 1e-3;  ///< of the kernels, times the mean of the kernel matrix' diagonal
  Index trials = 5;     ///< networks, and the data they are trained on
};

/// Of one network.
struct Trained {
  double drift = 0, turned = 0, alignment_before = 0, alignment_after = 0, alignment_gain = 0;
  double network_r2 = 0, before_r2 = 0, after_r2 = 0, after_gain = 0, last_layer_r2 = 0;
};

struct Parameterization {
  const char *name, *label;
  Initialization initialization;
};
constexpr std::array<Parameterization, 3> kParameterizations = {
    {{"standard", "PyTorch's", Initialization::pytorch_default},
     {"ntk", "NTK", Initialization::ntk},
     {"mup", "μP", Initialization::mup}}};

struct Quantity {
  const char *name, *label;
  double Trained::*value;
};
constexpr std::array<Quantity, 10> kQuantities = {
    {{"drift", "drift of the kernel", &Trained::drift},
     {"turned", "1 − cosine of hidden features before and after", &Trained::turned},
     {"alignment_before", "alignment with the targets before training", &Trained::alignment_before},
     {"alignment_after", "alignment with the targets after training", &Trained::alignment_after},
     {"alignment_gain", "gain of alignment in training", &Trained::alignment_gain},
     {"network_r2", "test R² of the network", &Trained::network_r2},
     {"before_kernel_r2", "test R² of the kernel before training", &Trained::before_r2},
     {"after_kernel_r2", "test R² of the kernel after training", &Trained::after_r2},
     {"after_kernel_gain", "test R² of the kernel after training less that before", &Trained::after_gain},
     {"last_layer_kernel_r2", "test R² of the last layer's kernel after training", &Trained::last_layer_r2}}};

/// runs[width][trial] of one parameterisation.
using Runs = std::vector<std::vector<Trained>>;

struct Measured {
  LimitCurve at_start;
  std::array<Runs, kParameterizations.size()> trained;
};

nets::MlpOptions architecture(const EmpiricalNtkOptions& o, Initialization initialization, Index width) {
  nets::MlpOptions options;
  options.hidden_layers.assign(static_cast<std::size_t>(o.depth), width);
  options.initialization = initialization;
  return options;
}

Trained train_one(const EmpiricalNtkOptions& o, Initialization initialization, Index width, const Split<double>& split,
                  const RandomStream& stream) {
  const nets::Mlp<double> start(split.train.dimension(), split.train.outputs(), architecture(o, initialization, width),
                                stream);
  const double rate = o.rate * largest_stable_rate(start, split.train.inputs);
  const nets::Mlp<double> end = descend(start, split.train, {o.steps, rate});
  const TangentsBetween between = tangents_between(start, end, split, o.ridge);
  Trained result;
  result.drift = between.drift;
  result.turned = 1 - between.change.hidden_cosine.back();
  result.alignment_before = between.alignment_before;
  result.alignment_after = between.alignment_after;
  result.alignment_gain = between.alignment_after - between.alignment_before;
  result.network_r2 = evaluate<double>(gained(start, end, split.test.inputs), split.test).r2;
  result.before_r2 = between.before.r2;
  result.after_r2 = between.after.r2;
  result.after_gain = between.after.r2 - between.before.r2;
  result.last_layer_r2 = between.last_layer.r2;
  return result;
}

/// |Theta_hat - Theta| / |Theta| of one network of that width at initialisation, on the inputs.
double distance_from_limit(const EmpiricalNtkOptions& o, const Matrix<double>& x, Index width,
                           const RandomStream& stream) {
  rfm::KernelSpec spec;
  spec.family = rfm::KernelFamily::ntk;
  spec.depth = o.depth;
  const Matrix<double> limit =
      rfm::kernel_matrix<double>(rfm::Kernel::make(spec), FeatureMatrix<double>::identity(x.cols()), x);
  const nets::Mlp<double> network(x.cols(), 1, architecture(o, Initialization::ntk, width), stream);
  return relative_distance(nets::tangent_kernel_matrix(network, x), limit);
}

Measured measure(const EmpiricalNtkOptions& o, const RunContext& context) {
  const auto data = [&](Index trial) {
    const RandomStream stream = context.stream.named(fmt::format("data/{}", trial));
    return in_section("empirical_ntk",
                      [&] { return make_low_rank<double>(o.target, o.samples, 0, o.test_size, stream); });
  };
  Measured measured;
  const Matrix<double> x = data(0).train.inputs;
  measured.at_start = limit_curve(
      "initial_distance", "NTK at initialisation, from the analytic one", "width", o.widths, o.trials, context.stream,
      [&](Index width, const RandomStream& stream) { return distance_from_limit(o, x, width, stream); });
  const auto widths = static_cast<Index>(o.widths.size());
  Progress progress("networks", static_cast<Index>(kParameterizations.size()) * widths * o.trials, "networks",
                    context.quiet);
  Index done = 0;
  for (Index trial = 0; trial < o.trials; ++trial) {
    const Split<double> split = data(trial);
    for (std::size_t p = 0; p < kParameterizations.size(); ++p) {
      measured.trained[p].resize(o.widths.size());
      for (std::size_t w = 0; w < o.widths.size(); ++w) {
        const RandomStream stream = context.stream.named(fmt::format("network/{}/{}", o.widths[w], trial));
        measured.trained[p][w].push_back(in_section("empirical_ntk", [&] {
          return train_one(o, kParameterizations[p].initialization, o.widths[w], split, stream);
        }));
        progress.update(++done);
      }
    }
  }
  progress.finish();
  return measured;
}

/// The mean over trials at each width, with standard errors.
LimitCurve curve(const EmpiricalNtkOptions& o, const Runs& runs, const std::string& name, const std::string& label,
                 double Trained::*value) {
  LimitCurve curve{name, label, "width", {}, {}};
  for (std::size_t w = 0; w < runs.size(); ++w) {
    std::vector<double> values;
    for (const Trained& run : runs[w]) values.push_back(run.*value);
    const MeanOfTrials mean = mean_of_trials(values);
    curve.sizes.push_back(static_cast<double>(o.widths[w]));
    curve.errors.push_back(mean.mean);
    if (mean.standard_error) curve.standard_errors.push_back(*mean.standard_error);
  }
  return curve;
}

LimitCurve curve(const EmpiricalNtkOptions& o, const Measured& measured, std::size_t p, const Quantity& quantity) {
  const Parameterization& row = kParameterizations[p];
  return curve(o, measured.trained[p], fmt::format("{}.{}", row.name, quantity.name),
               fmt::format("{} parameterisation, {}", row.label, quantity.label), quantity.value);
}

std::vector<Finding> findings_of(const EmpiricalNtkOptions& o, const Measured& measured) {
  std::vector<Finding> findings = limit_findings(measured.at_start);
  for (std::size_t p = 0; p < kParameterizations.size(); ++p)
    for (const Quantity& quantity : kQuantities) {
      const LimitCurve over_width = curve(o, measured, p, quantity);
      Finding at_widest{over_width.name, over_width.label + ", at the largest width", over_width.errors.back()};
      if (!over_width.standard_errors.empty()) at_widest.standard_error = over_width.standard_errors.back();
      if (&quantity == &kQuantities.front()) {
        Finding slope = limit_findings(over_width).front();
        slope.name = fmt::format("{}.drift_slope", kParameterizations[p].name);
        slope.meaning = over_width.label + ": slope over the width";
        findings.push_back(slope);
      }
      findings.push_back(at_widest);
    }
  return findings;
}

std::vector<std::string> finding_names() {
  std::vector<std::string> names = limit_finding_names("initial_distance");
  for (const Parameterization& p : kParameterizations) {
    names.push_back(fmt::format("{}.drift_slope", p.name));
    for (const Quantity& quantity : kQuantities) names.push_back(fmt::format("{}.{}", p.name, quantity.name));
  }
  return names;
}

void draw(const EmpiricalNtkOptions& o, const Measured& measured, const RunContext& run) {
  viz::LinePlot distances{"Relative distance of kernels", "width", "", true, true, {}, {}, {}};
  distances.series.push_back(
      {"at initialisation, from the limit", measured.at_start.sizes, measured.at_start.errors, true});
  viz::LinePlot scores{"Test R²", "width", "", true, false, {}, {}, {}};
  for (std::size_t p = 0; p < kParameterizations.size(); ++p) {
    const std::string label = kParameterizations[p].label;
    for (const Quantity& quantity : kQuantities) {
      const LimitCurve c = curve(o, measured, p, quantity);
      if (quantity.value == &Trained::drift)
        distances.series.push_back({label + ": drift in training", c.sizes, c.errors, true});
      if (quantity.value == &Trained::network_r2)
        scores.series.push_back({label + ": network", c.sizes, c.errors, true});
      if (quantity.value == &Trained::after_r2)
        scores.series.push_back({label + ": its kernel after training", c.sizes, c.errors, true});
    }
  }
  viz::draw_lines({distances, scores}, run.directory.path() / "images/empirical_ntk");
}

ExperimentSummary run_empirical_ntk(const EmpiricalNtkOptions& o, const RunContext& run) {
  const Measured measured = measure(o, run);
  ExperimentSummary summary;
  summary.conventions = {"ntk"};
  summary.findings = findings_of(o, measured);
  draw(o, measured, run);
  summary.figures = {{"empirical_ntk", "The empirical NTK",
                      "Left: relative Frobenius distance of the tangent kernels of random networks from the analytic "
                      "one, and how far training takes them from where they began. Right: test R² of the networks, and "
                      "of ridge regression with their tangent kernels after training."}};
  return summary;
}

Plan plan_empirical_ntk(const EmpiricalNtkOptions& o) {
  const nets::MlpOptions widest = architecture(o, Initialization::ntk, o.widths.back());
  const Index d = o.target.dimension;
  const double weights = nets::weight_count(widest, d, 1), n = static_cast<double>(o.samples);
  const double runs = 3 * 2 * static_cast<double>(o.trials);  // widths usually double: twice the largest
  const Cost kernel = nets::tangent_kernel_cost(widest, d, 1, o.samples, o.samples + o.test_size,
                                                nets::TangentOptions::Outputs::summed, sizeof(double));
  PlannedStage stage{"networks and their kernels", {"full-batch gradient descent, ridge regression", ""}};
  stage.cost.flops = runs * (6 * weights * n * static_cast<double>(o.steps) + 3 * kernel.flops + 12 * n * n * n);
  stage.cost.working_bytes = 2 * kernel.kept_bytes + kernel.working_bytes + 8 * (8 * weights + 4 * n * n);
  Plan plan;
  plan.size.dimension = d;
  plan.stages = {stage};
  return plan;
}

EmpiricalNtkOptions parse_empirical_ntk(const Config& section) {
  constexpr Index kMost = 1'000'000;
  EmpiricalNtkOptions o;
  o.target = parse_low_rank(section);
  o.samples = section.get_at_least("samples", o.samples, Index{2}, kMost);
  o.test_size = section.get_at_least("test_size", o.test_size, Index{2}, kMost);
  o.widths = parse_sizes(section, "widths", o.widths);
  o.depth = section.get_at_least("depth", o.depth, Index{1}, Index{1000});
  o.steps = section.get_at_least("steps", o.steps, Index{1}, kMost);
  o.rate = section.get_positive("rate", o.rate, 1);
  o.ridge = section.get_positive("ridge", o.ridge);
  o.trials = section.get_at_least("trials", o.trials, Index{1}, kMost);
  return o;
}

}  // namespace

PreparedExperiment prepare_empirical_ntk(const Config& root, const CommonOptions& common) {
  const EmpiricalNtkOptions options = parse_empirical_ntk(root.section("empirical_ntk"));
  return prepare_without_data(
      common, parse_expectations(root, finding_names()), [=] { return plan_empirical_ntk(options); },
      [=](const RunContext& run) { return run_empirical_ntk(options, run); });
}

}  // namespace ansatz::experiments
