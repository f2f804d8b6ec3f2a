#include "rfm/cost.h"

#include <cmath>

#include "core/linalg/flops.h"
#include "rfm/gradients/gradient_form.h"
#include "rfm/kernels/kernel.h"
#include "rfm/pairs/power_sums.h"
#include "rfm/solvers/solve.h"

namespace ansatz::rfm {
namespace {

double number(Index value) { return static_cast<double>(value); }

}  // namespace

Cost fit_cost(const KernelSpec& kernel, const SolverOptions& solver, const SystemSize& size, std::size_t scalar_bytes,
              double free_bytes) {
  const double n = number(size.points), d = number(size.width);
  const SolverChoice choice = choose_solver(size, solver, scalar_bytes, free_bytes);
  Cost cost{choice.describe(), choice.reason, choice.flops};
  cost.flops += n * n / 2 * (distance_flops(kernel, size.width) - 2 * d);   // p-norm: not a product
  cost.working_bytes = choice.bytes + n * d * number(Index(scalar_bytes));  // the prepared points
  return cost;
}

RfmCost rfm_cost(const RfmOptions& options, const SystemSize& size, std::size_t scalar_bytes, double free_bytes) {
  const double n = number(size.points), d = number(size.width), c = number(size.outputs);
  const double rounds = number(options.iterations), scalar = number(Index(scalar_bytes));
  RfmCost cost;
  cost.solves = fit_cost(options.kernel, options.solver, size, scalar_bytes, free_bytes);
  cost.solves.flops = (rounds + 1) * (cost.solves.flops + 2 * n * d * std::min(n, d));
  cost.solves.kept_bytes = n * c * scalar * (rounds + 1);

  const bool restricted = options.gradients.diagonal || options.blocks;
  const GradientCost gradients = choose_gradient_form(
      gradient_problem(options.kernel, options.gradients, restricted, size.points, size.width, size.outputs),
      options.gradients.form, scalar_bytes);
  const bool in_sample_space = gradients.form == GradientForm::sample_space;  // without a scaled copy of the points
  const double matrix = options.gradients.diagonal ? d : in_sample_space ? n * n : d * d;
  const bool power = options.feature_matrix_power != 1, root = Kernel::make(options.kernel).p_norm();
  const double side = in_sample_space ? n : root ? d : std::min(d, n);
  const double eigenpairs = eigenpairs_flops(side);
  cost.updates = {name_of(gradients.form), gradients.reason, rounds * gradients.flops};
  if (!restricted)
    cost.updates.flops += rounds * ((power ? eigenpairs : 0) + (root ? eigenpairs : std::pow(side, 3) / 3));
  cost.updates.working_bytes = gradients.bytes + (in_sample_space ? 1 : 2) * n * d * scalar;
  cost.updates.kept_bytes = rounds * matrix * scalar;
  return cost;
}

}  // namespace ansatz::rfm
