// How fast the kernels of random networks approach those of infinitely wide ones.
//
// Bias-free ReLU networks f(x) = a . h_L(x), h_l = sqrt(2 / k) relu(W_l h_(l-1)), h_0 = x, all weights N(0, 1), every
// hidden layer of width k. Two kernels of the network at hand are compared with those of kernels nngp and ntk: the
// covariance over a, h_L(x) . h_L(z), and the neural tangent kernel, the product of the gradients of f with respect to
// all weights. No data: the inputs are N(0, I). Findings, each network depth and kernel: the slope of the relative
// error over the width on log axes (-1/2 by the central limit theorem) and the error at the largest width. Figure:
// error against width. Everything in double.
#include <fmt/format.h>

#include <cmath>

#include "experiments/theory/limit_curves.h"
#include "experiments/without_data.h"
#include "rfm/pairs/kernel_matrix.h"

namespace ansatz::experiments {
namespace {

struct InfiniteWidthOptions {
  Index dimension = 10, points = 20;
  Index trials = 10;                                                ///< networks whose errors are averaged
  std::vector<Index> depths = {1, 3};                               ///< hidden layers
  std::vector<Index> widths = {32, 64, 128, 256, 512, 1024, 2048};  ///< k
};

/// Kernel matrices over the points, n x n.
struct KernelPair {
  Matrix<double> nngp, ntk;
};

KernelPair infinite_kernels(const Matrix<double>& x, Index depth) {
  const auto identity = FeatureMatrix<double>::identity(x.cols());
  const auto matrix = [&](rfm::KernelFamily family) {
    rfm::KernelSpec spec;
    spec.family = family;
    spec.depth = depth;
    return rfm::kernel_matrix<double>(rfm::Kernel::make(spec), identity, x);
  };
  return {matrix(rfm::KernelFamily::nngp), matrix(rfm::KernelFamily::ntk)};
}

/// Of one random network. With D_l the gradients of f with respect to W_l h_(l-1), a row a point, the tangent kernel is
/// H_L H_L^T + sum_l (D_l D_l^T) o (H_(l-1) H_(l-1)^T).
KernelPair network_kernels(const Matrix<double>& x, Index depth, Index width, const RandomStream& stream) {
  const double scale = std::sqrt(2 / static_cast<double>(width));
  const auto layers = static_cast<std::size_t>(depth);
  std::vector<Matrix<double>> weights, hidden = {x}, active(layers + 1);
  for (std::size_t l = 1; l <= layers; ++l) {
    weights.push_back(stream.named(fmt::format("W{}", l)).normal_matrix<double>(width, hidden.back().cols()));
    const Matrix<double> z = hidden.back() * weights.back().transpose();
    active[l] = (z.array() > 0).cast<double>() * scale;
    hidden.push_back(z.cwiseProduct(active[l]));
  }
  const Vector<double> a = stream.named("a").normal_matrix<double>(width, 1);
  KernelPair kernels;
  kernels.nngp = kernels.ntk = hidden.back() * hidden.back().transpose();
  Matrix<double> gradients = a.transpose().replicate(x.rows(), 1).cwiseProduct(active[layers]);
  for (std::size_t l = layers; l >= 1; --l) {
    kernels.ntk += (gradients * gradients.transpose()).cwiseProduct(hidden[l - 1] * hidden[l - 1].transpose());
    if (l > 1) gradients = (gradients * weights[l - 1]).cwiseProduct(active[l - 1]).eval();
  }
  return kernels;
}

std::vector<LimitCurve> curves_of(const InfiniteWidthOptions& o, const RandomStream& stream) {
  const Matrix<double> x = stream.named("x").normal_matrix<double>(o.points, o.dimension);
  std::vector<LimitCurve> curves;
  for (const Index depth : o.depths) {
    const KernelPair limits = infinite_kernels(x, depth);
    const auto add = [&](const char* name, const char* label, Matrix<double> KernelPair::*kernel) {
      const auto error = [&](Index width, const RandomStream& s) {
        return relative_error(network_kernels(x, depth, width, s).*kernel, limits.*kernel);
      };
      curves.push_back(limit_curve(fmt::format("{}{}", name, depth),
                                   fmt::format("{}, {} hidden layer{}", label, depth, depth == 1 ? "" : "s"), "width",
                                   o.widths, o.trials, stream, error));
    };
    add("nngp", "NNGP", &KernelPair::nngp);
    add("ntk", "NTK", &KernelPair::ntk);
  }
  return curves;
}

ExperimentSummary run_infinite_width(const InfiniteWidthOptions& o, const RunContext& run) {
  ExperimentSummary summary;
  summary.conventions = {"nngp", "ntk"};
  const std::vector<LimitCurve> curves = curves_of(o, run.stream);
  for (const LimitCurve& curve : curves)
    for (Finding& finding : limit_findings(curve)) summary.findings.push_back(std::move(finding));
  draw_limits("Kernels of random ReLU networks", "width", curves, run.directory.path() / "images/infinite_width");
  summary.figures = {
      {"infinite_width", "Distance from the infinitely wide network",
       "Relative Frobenius distance of the kernels of random networks from those of infinitely wide ones "
       "(NNGP: covariance of the outputs over the last layer; NTK: product of all gradients), against "
       "the width of the hidden layers."}};
  return summary;
}

Plan plan_infinite_width(const InfiniteWidthOptions& o) {
  const auto width = static_cast<double>(o.widths.back()), n = static_cast<double>(o.points);
  const auto depth = static_cast<double>(o.depths.back()), d = static_cast<double>(o.dimension);
  PlannedStage stage{"random networks", {"products of matrices", ""}};
  // Widths usually double: all of them cost about twice the largest; both kernels are computed anew.
  stage.cost.flops =
      2 * 2 * static_cast<double>(o.trials * static_cast<Index>(o.depths.size())) * 4 * n * depth * width * (width + d);
  stage.cost.working_bytes = 8 * (depth * width * width + width * d + 3 * depth * n * width + 4 * n * n);
  Plan plan;
  plan.size.dimension = o.dimension;
  plan.stages = {stage};
  return plan;
}

InfiniteWidthOptions parse_infinite_width(const Config& section) {
  constexpr Index kMost = 1'000'000, kDeepest = 1000;
  InfiniteWidthOptions o;
  o.dimension = section.get_at_least("dimension", o.dimension, Index{1}, kMost);
  o.points = section.get_at_least("points", o.points, Index{2}, kMost);
  o.trials = section.get_at_least("trials", o.trials, Index{1}, kMost);
  o.depths = section.get_list("depths", o.depths, 1);
  for (std::size_t i = 0; i < o.depths.size(); ++i)
    if (o.depths[i] > kDeepest || (i > 0 && o.depths[i] <= o.depths[i - 1]))
      section.fail("depths", fmt::format("must be increasing, up to {}", kDeepest));
  if (o.depths.empty()) section.fail("depths", "must name at least one");
  o.widths = parse_sizes(section, "widths", o.widths);
  return o;
}

std::vector<std::string> finding_names(const InfiniteWidthOptions& o) {
  std::vector<std::string> names;
  for (const Index depth : o.depths)
    for (const char* kernel : {"nngp", "ntk"})
      for (std::string& name : limit_finding_names(fmt::format("{}{}", kernel, depth)))
        names.push_back(std::move(name));
  return names;
}

}  // namespace

PreparedExperiment prepare_infinite_width(const Config& root, const CommonOptions& common) {
  const InfiniteWidthOptions options = parse_infinite_width(root.section("infinite_width"));
  return prepare_without_data(
      common, parse_expectations(root, finding_names(options)), [=] { return plan_infinite_width(options); },
      [=](const RunContext& run) { return run_infinite_width(options, run); });
}

}  // namespace ansatz::experiments
