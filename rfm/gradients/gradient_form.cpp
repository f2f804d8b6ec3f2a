#include "rfm/gradients/gradient_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "core/base/error.h"
#include "rfm/gradients/p_norm_gradients.h"
#include "rfm/pairs/pair_tiles.h"
#include "rfm/pairs/power_sums.h"

namespace ansatz::rfm {
namespace {

constexpr Index kProductColumns = 256;
constexpr double kTileBytes = 256.0 * (1 << 20);  // of A at once in the direct form

/// The cost for kernels of a p-norm: differences of coordinates, entry by entry, and a small product for each point and
/// output.
GradientCost elementwise_cost(const GradientProblem& p, std::size_t scalar_bytes) {
  const double m = static_cast<double>(p.points), n = static_cast<double>(p.centers), pairs = m * n;
  const double q = static_cast<double>(p.width), c = static_cast<double>(p.outputs);
  const double rows =
      std::min(m, static_cast<double>(p_norm_gradient_rows(p.centers, p.width, p.outputs, scalar_bytes)));
  GradientCost cost;
  cost.flops = pairs * (p.elementwise + kPassFlops + 2 * q * c) + c * (p.diagonal ? 2 * m * q : m * q * q);
  cost.bytes = static_cast<double>(scalar_bytes) * (rows * n + rows * q * c + 2 * (p.diagonal ? q : q * q));
  cost.reason = "a p-norm: differences entry by entry";
  return cost;
}

}  // namespace

bool is_restricted(const GradientOptions& options) { return options.diagonal || !options.blocks.empty(); }

std::vector<ColumnGroup> blocks_of(const GradientOptions& options) {
  std::vector<ColumnGroup> blocks;
  if (options.diagonal) return blocks;
  for (const ColumnGroup& group : options.blocks)
    if (group.width > 1) blocks.push_back(group);
  return blocks;
}

GradientProblem gradient_problem(const KernelSpec& kernel, const GradientOptions& options, bool restricted,
                                 Index centers, Index width, Index outputs) {
  GradientProblem problem;
  problem.points = options.samples > 0 ? std::min(options.samples, centers) : centers;
  problem.centers = centers;
  problem.width = width;
  problem.outputs = outputs;
  problem.diagonal = restricted;
  problem.elementwise = elementwise_flops(kernel, width);
  return problem;
}

Index outputs_together(Index outputs, Index width) {
  return std::clamp<Index>(kProductColumns / std::max<Index>(width, 1), 1, std::max<Index>(outputs, 1));
}

GradientCost gradient_cost(const GradientProblem& p, GradientForm form, std::size_t scalar_bytes) {
  if (p.elementwise > 0) return elementwise_cost(p, scalar_bytes);
  const double m = static_cast<double>(p.points), n = static_cast<double>(p.centers);
  const double q = static_cast<double>(p.width), c = static_cast<double>(p.outputs);
  const double scalar = static_cast<double>(scalar_bytes), pairs = m * n;
  const double half = p.points == p.centers ? 0.5 : 1;  // A is symmetric where all centres are points
  GradientCost cost;
  cost.form = form;
  cost.flops = half * pairs * (2 * q + kPassFlops);
  const double square = p.diagonal ? q : q * q;
  if (form == GradientForm::direct) {
    const double rows = p.points == p.centers ? m : std::min(m, std::max(256.0, kTileBytes / (scalar * n)));
    cost.flops += c * (2 * pairs * q + (p.diagonal ? 2 * m * q : m * q * q));
    const double columns = q * static_cast<double>(outputs_together(p.outputs, p.width));
    cost.bytes = scalar * (rows * n + (rows + n) * columns + rows * q + 2 * square);
    cost.reason = fmt::format("c = {} products of {} x {} by {}", p.outputs, p.points, p.centers, p.width);
    return cost;
  }
  cost.flops += pairs * n + kPassFlops / 2 * n * n;
  cost.bytes = scalar * (pairs + n * n);
  cost.reason = fmt::format("one symmetric product of {} x {}, whatever c", p.points, p.centers);
  if (form == GradientForm::sample_space) {
    cost.reason += "; d > n, so M stays a sandwich over the samples";
    return cost;
  }
  cost.flops += 2 * n * n * q + (p.diagonal ? 2 * n * q : n * q * q);
  cost.bytes = std::max(cost.bytes, scalar * (n * n + n * q + 2 * square));
  return cost;
}

GradientCost choose_gradient_form(const GradientProblem& problem, GradientForm asked, std::size_t scalar_bytes) {
  if (problem.elementwise > 0) {
    if (asked != GradientForm::automatic && asked != GradientForm::direct)
      throw ConfigError(
          fmt::format("gradient_form: {} does not exist for kernels of a p-norm (lpq_laplace, "
                      "product_laplace); use direct or auto",
                      name_of(asked)));
    return gradient_cost(problem, GradientForm::direct, scalar_bytes);
  }
  const bool sample_space = !problem.diagonal && !problem.low_rank_metric;
  if (asked == GradientForm::sample_space && !sample_space) asked = GradientForm::gram;
  if (asked != GradientForm::automatic) {
    GradientCost cost = gradient_cost(problem, asked, scalar_bytes);
    cost.reason = "asked for";
    return cost;
  }
  if (sample_space && problem.width > problem.centers)
    return gradient_cost(problem, GradientForm::sample_space, scalar_bytes);
  const GradientCost direct = gradient_cost(problem, GradientForm::direct, scalar_bytes);
  const GradientCost gram = gradient_cost(problem, GradientForm::gram, scalar_bytes);
  return gram.flops < direct.flops ? gram : direct;
}

const std::vector<GradientFormInfo>& gradient_form_table() {
  static const std::vector<GradientFormInfo> table = {
      {GradientForm::automatic, "auto", "the cheapest for n, d, c and the number of gradient points"},
      {GradientForm::direct, "direct", "one m x n by n x d product an output: 2 m n d c + m d^2 c flops"},
      {GradientForm::gram, "gram", "one symmetric product over the samples: m n^2 + 2 n^2 d + n d^2 flops, whatever c"},
      {GradientForm::sample_space, "sample_space", "as gram, but M stays a sandwich (X, C), C n x n: m n^2 flops"},
  };
  return table;
}

const std::string& name_of(GradientForm form) {
  for (const GradientFormInfo& row : gradient_form_table())
    if (row.form == form) return row.name;
  throw std::logic_error("a gradient form without a name");
}

}  // namespace ansatz::rfm
