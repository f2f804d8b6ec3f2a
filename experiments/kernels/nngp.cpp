// Wide networks as Gaussian processes (Neal 1996; Lee et al. 2018).
//
// The kernels of random networks with weight and bias scales, for ReLU, erf and linear activations, approach the
// recursions of `nngp` and `ntk` as the width to the power -1/2. As the prior of a Gaussian process, the kernel then
// says how sure a prediction is: of functions of one variable drawn from the prior itself, intervals must hold just the
// share of new observations that they promise; of a polynomial of few directions, which is no such draw, with the noise
// variance of greatest marginal likelihood, about that. Findings: slope and error at the largest width of each curve;
// shares at 50 % and 90 %, and the estimated noise variance over the true one. Figures: error against width; a
// posterior; share against level. Everything in double.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "core/data/synthetic/synthetic.h"
#include "experiments/kernels/process_calibration.h"
#include "experiments/theory/limit_curves.h"
#include "experiments/without_data.h"
#include "rfm/gaussian_process/gaussian_process.h"
#include "rfm/pairs/kernel_matrix.h"
#include "rfm/random_networks/random_network.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {
namespace {

struct NngpOptions {
  Index dimension = 10, points = 20;
  Index depth = 2;  ///< hidden layers, of the networks and of the process
  double bias_std = 0.3;
  std::vector<Index> widths = {32, 64, 128, 256, 512, 1024};
  Index trials = 20;        ///< networks a width
  Index observations = 15;  ///< of each function
  double noise = 0.1;       ///< standard deviation
  Index functions = 400;    ///< drawn from the prior
  Index samples = 200;      ///< training rows of the polynomial
  Index regressions = 20;   ///< data sets drawn
};

constexpr Index kAsked = 100;                   // new observations of each function, and points of the picture
constexpr Index kTestRows = 500;                // of the polynomial
constexpr double kReach = 5;                    // functions are of x in [-kReach, kReach]
constexpr double kInterval = 1.64485362695147;  // standard deviations of a central interval of 90 %

struct NngpResult {
  std::vector<LimitCurve> curves;
  Calibration functions, regressions;
  MeanOfTrials noise_ratio;
};

rfm::KernelSpec spec_of(const NngpOptions& o, rfm::Activation activation, rfm::KernelFamily family) {
  rfm::KernelSpec spec;
  spec.family = family;
  spec.depth = o.depth;
  spec.activation = activation;
  spec.weight_std = rfm::info_of(activation).weight_std;
  spec.bias_std = o.bias_std;
  return spec;
}

std::vector<LimitCurve> curves_of(const NngpOptions& o, const RandomStream& stream) {
  const Matrix<double> x = stream.named("x").normal_matrix<double>(o.points, o.dimension);
  std::vector<LimitCurve> curves;
  for (const rfm::ActivationInfo& row : rfm::activation_table())
    for (const rfm::KernelFamily family : {rfm::KernelFamily::nngp, rfm::KernelFamily::ntk}) {
      const rfm::KernelSpec spec = spec_of(o, row.activation, family);
      const Matrix<double> limit =
          rfm::kernel_matrix<double>(rfm::Kernel::make(spec), FeatureMatrix<double>::identity(o.dimension), x);
      const bool tangent = family == rfm::KernelFamily::ntk;
      const auto error = [&](Index width, const RandomStream& s) {
        const rfm::NetworkKernels kernels = rfm::random_network_kernels(spec, x, width, s);
        return relative_error(tangent ? kernels.ntk : kernels.nngp, limit);
      };
      curves.push_back(limit_curve(fmt::format("{}.{}", row.name, name_of(family)),
                                   fmt::format("{}, {}", tangent ? "NTK" : "NNGP", row.name), "width", o.widths,
                                   o.trials, stream, error));
    }
  return curves;
}

/// The process of functions of one variable: inputs (x, 1), so that the first layer has biases too.
rfm::Kernel function_kernel(const NngpOptions& o) {
  return rfm::Kernel::make(spec_of(o, rfm::Activation::erf, rfm::KernelFamily::nngp));
}

Matrix<double> with_ones(const Matrix<double>& x) {
  Matrix<double> result = Matrix<double>::Ones(x.rows(), x.cols() + 1);
  result.leftCols(x.cols()) = x;
  return result;
}

void measure_regressions(const NngpOptions& o, const RandomStream& stream, NngpResult& result) {
  LowRankOptions target;
  target.target = "x1x2";
  target.dimension = 4;
  target.label_noise_variance = o.noise * o.noise;
  const rfm::Kernel kernel = rfm::Kernel::make(spec_of(o, rfm::Activation::relu, rfm::KernelFamily::nngp));
  std::vector<double> variances, ratios;
  for (int i = -14; i <= 18; ++i) variances.push_back(target.label_noise_variance * std::exp2(0.5 * i));
  std::vector<std::vector<double>> shares;
  for (Index t = 0; t < o.regressions; ++t) {
    Split<double> split =
        make_low_rank<double>(target, o.samples, 0, kTestRows, stream.named(fmt::format("regression/{}", t)));
    split.train.inputs = with_ones(split.train.inputs);
    split.test.inputs = with_ones(split.test.inputs);
    const FittedProcess fitted = fit_process(kernel, split, variances);
    shares.push_back(fitted.shares);
    ratios.push_back(fitted.noise_variance / target.label_noise_variance);
  }
  result.regressions = calibration_of(shares);
  result.noise_ratio = mean_of_trials(ratios);
}

double share_at(const Calibration& calibration, double level, double& standard_error) {
  for (std::size_t i = 0; i < calibration.levels.size(); ++i) {
    if (calibration.levels[i] != level) continue;
    standard_error = calibration.standard_errors[i];
    return calibration.shares[i];
  }
  throw std::logic_error("a level that was not measured");
}

std::vector<Finding> findings_of(const NngpResult& result) {
  std::vector<Finding> findings;
  for (const LimitCurve& curve : result.curves)
    for (Finding& finding : limit_findings(curve)) findings.push_back(std::move(finding));
  const auto add = [&](const std::string& name, const std::string& label, const Calibration& calibration) {
    for (const int percent : {50, 90}) {
      double standard_error = 0;
      Finding finding{fmt::format("{}.share_{}", name, percent),
                      fmt::format("share of {} within intervals of {} %", label, percent),
                      share_at(calibration, percent / 100.0, standard_error)};
      finding.standard_error = standard_error;
      findings.push_back(finding);
    }
  };
  add("functions", "new observations of functions from the prior", result.functions);
  add("regression", "test targets of a polynomial", result.regressions);
  findings.push_back(finding_of("regression.noise_ratio",
                                "noise variance of greatest marginal likelihood over the true one",
                                result.noise_ratio));
  return findings;
}

std::vector<std::string> finding_names() {
  std::vector<std::string> names;
  for (const rfm::ActivationInfo& row : rfm::activation_table())
    for (const char* kernel : {"nngp", "ntk"})
      for (std::string& name : limit_finding_names(fmt::format("{}.{}", row.name, kernel)))
        names.push_back(std::move(name));
  for (const char* name : {"functions.share_50", "functions.share_90", "regression.share_50", "regression.share_90",
                           "regression.noise_ratio"})
    names.emplace_back(name);
  return names;
}

std::vector<double> column(const Matrix<double>& m) { return {m.data(), m.data() + m.size()}; }

/// One function from the prior, what the process makes of a few observations, and the calibration.
void draw_process(const NngpOptions& o, const NngpResult& result, const RunContext& run) {
  const RandomStream stream = run.stream.named("picture");
  Matrix<double> x(o.observations + kAsked, 1);
  x.topRows(o.observations) = stream.named("x").uniform_matrix<double>(o.observations, 1, -kReach, kReach);
  x.bottomRows(kAsked).col(0) = Eigen::VectorXd::LinSpaced(kAsked, -kReach, kReach);
  const Matrix<double> inputs = with_ones(x), f = prior_draws(function_kernel(o), inputs, 1, stream.named("function"));
  const Matrix<double> y =
      f.topRows(o.observations) + o.noise * stream.named("noise").normal_matrix<double>(o.observations, 1);
  const rfm::GaussianProcess process(function_kernel(o), FeatureMatrix<double>::identity(2),
                                     inputs.topRows(o.observations), y, o.noise * o.noise);
  const rfm::GaussianPosterior posterior = process.posterior(inputs.bottomRows(kAsked));
  const Matrix<double> reach = kInterval * posterior.variance.array().sqrt().matrix();
  const std::vector<double> grid = column(x.bottomRows(kAsked));
  viz::LinePlot curve{"A function from the prior", "x", "", false, false, {}, {}, {}};
  curve.series.push_back({"function", grid, column(f.bottomRows(kAsked))});
  curve.series.push_back({"posterior mean", grid, column(posterior.mean)});
  curve.series.push_back({"90 % above", grid, column(posterior.mean + reach), false, true, true});
  curve.series.push_back({"90 % below", grid, column(posterior.mean - reach), false, true, true});
  curve.series.push_back({"observations", column(x.topRows(o.observations)), column(y), true, false});
  viz::LinePlot shares{"Observations within intervals", "level", "share", false, false, 0.0, 1.0, {}};
  shares.series.push_back({"as promised", {0, 1}, {0, 1}, false, true, true});
  shares.series.push_back({"functions from the prior", kLevels, result.functions.shares, true});
  shares.series.push_back({"polynomial", kLevels, result.regressions.shares, true});
  viz::draw_lines({curve, shares}, run.directory.path() / "images/gaussian_process");
}

ExperimentSummary run_nngp(const NngpOptions& o, const RunContext& run) {
  NngpResult result;
  result.curves = curves_of(o, run.stream);
  const RandomStream stream = run.stream.named("functions");
  const Matrix<double> x = stream.named("x").uniform_matrix<double>(o.observations + kAsked, 1, -kReach, kReach);
  result.functions =
      prior_calibration(function_kernel(o), with_ones(x), o.observations, o.noise * o.noise, o.functions, stream);
  measure_regressions(o, run.stream, result);
  ExperimentSummary summary;
  summary.conventions = {"nngp", "ntk"};
  summary.findings = findings_of(result);
  draw_limits("Kernels of random networks", "width", result.curves, run.directory.path() / "images/nngp");
  draw_process(o, result, run);
  summary.figures = {
      {"nngp", "Distance from the infinitely wide network",
       "Relative Frobenius distance of the kernels of random networks, with biases, from those of infinitely wide "
       "ones, "
       "against the width of the hidden layers."},
      {"gaussian_process", "The kernel as a prior",
       "Left: a function drawn from the Gaussian process of kernel nngp with the activation erf, its noisy "
       "observations, "
       "the posterior mean and intervals of 90 % for the function. Right: the share of new observations within central "
       "intervals against the share they promise."}};
  return summary;
}

Plan plan_nngp(const NngpOptions& o) {
  const auto width = static_cast<double>(o.widths.back()), n = static_cast<double>(o.points);
  const auto depth = static_cast<double>(o.depth), d = static_cast<double>(o.dimension);
  const auto rows = static_cast<double>(o.samples);
  PlannedStage networks{"random networks", {"products of matrices", ""}};
  // Widths usually double: all of them cost about twice the largest; six curves, each with its own networks.
  networks.cost.flops = 6 * 2 * static_cast<double>(o.trials) * 4 * n * depth * width * (width + d);
  networks.cost.working_bytes = 8 * (depth * width * width + width * d + 3 * depth * n * width + 4 * n * n);
  PlannedStage processes{"Gaussian processes", {"Cholesky", ""}};
  processes.cost.flops = static_cast<double>(o.regressions) * 33 * (rows * rows * rows / 3 + rows * rows * kTestRows);
  processes.cost.working_bytes = 8 * (2 * rows * rows + rows * kTestRows);
  Plan plan;
  plan.size.dimension = o.dimension;
  plan.stages = {networks, processes};
  return plan;
}

NngpOptions parse_nngp(const Config& section) {
  constexpr Index kMost = 1'000'000, kDeepest = 1000;
  NngpOptions o;
  o.dimension = section.get_at_least("dimension", o.dimension, Index{1}, kMost);
  o.points = section.get_at_least("points", o.points, Index{2}, kMost);
  o.depth = section.get_at_least("depth", o.depth, Index{1}, kDeepest);
  o.bias_std = section.get_at_least("bias_std", o.bias_std, 0.0);
  o.widths = parse_sizes(section, "widths", o.widths);
  o.trials = section.get_at_least("trials", o.trials, Index{1}, kMost);
  o.observations = section.get_at_least("observations", o.observations, Index{1}, kMost);
  o.noise = section.get_positive("noise", o.noise);
  o.functions = section.get_at_least("functions", o.functions, Index{2}, kMost);
  o.samples = section.get_at_least("samples", o.samples, Index{2}, kMost);
  o.regressions = section.get_at_least("regressions", o.regressions, Index{2}, kMost);
  return o;
}

}  // namespace

PreparedExperiment prepare_nngp(const Config& root, const CommonOptions& common) {
  const NngpOptions options = parse_nngp(root.section("nngp"));
  return prepare_without_data(
      common, parse_expectations(root, finding_names()), [=] { return plan_nngp(options); },
      [=](const RunContext& run) { return run_nngp(options, run); });
}

}  // namespace ansatz::experiments
