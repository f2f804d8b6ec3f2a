#include "rfm/solvers/solve.h"

#include <spdlog/spdlog.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/machine/memory.h"
#include "rfm/pairs/pair_matrices.h"
#include "rfm/pairs/range.h"
#include "rfm/solvers/direct_solve.h"
#include "rfm/solvers/double_solve.h"
#include "rfm/solvers/iterative_solve.h"
#include "rfm/solvers/probes.h"

namespace ansatz::rfm {
namespace {

template <class Scalar>
void require_targets(Index n, const MatrixView<Scalar>& y) {
  if (n != y.rows()) throw DataError(fmt::format("solve: {} rows of inputs, but {} of targets", n, y.rows()));
  require_finite_targets<Scalar>(y);
}

template <class Scalar>
[[noreturn]] void refuse(const SolveTask<Scalar>& task, const SolverChoice& choice, const std::string& problem) {
  const bool single = sizeof(Scalar) == 4;
  throw NumericalError(fmt::format(
      "{} does not solve the kernel system of {} rows with ridge {:g}: {}; use {}a larger ridge, more iterations or a "
      "larger solver_tolerance{}",
      choice.describe(), task.y.rows(), task.options.ridge, problem,
      task.options.kind == SolverKind::automatic ? "" : "solver: auto, ", single ? ", or precision: float64" : ""));
}

/// The direct answer without remedies: through K's spectrum, if that is asked for and has one, else by Cholesky.
template <class Scalar>
Attempt<Scalar> plain_attempt(const SolveTask<Scalar>& task, DirectSolver<Scalar>& direct) {
  if (task.hints.spectral) {
    Attempt<Scalar> attempt = direct.spectral();
    if (attempt.solution && attempt.solution->summary.relative_residual <= kExcusable) return attempt;
  }
  return direct.cholesky();
}

/// Solves in float64 by the spectrum, if that is asked for and no rounding may show, else by Cholesky's ladder.
Solution<double> factored(const SolveTask<double>& task, DirectSolver<double>& direct) {
  if (task.hints.spectral) {
    Attempt<double> attempt = direct.spectral();
    if (attempt.solution && attempt.solution->summary.relative_residual <= kExcusable &&
        rounding_problem<double>(task.kernel, task.points, direct.diagonal(), attempt.solution->alpha, task.y).empty())
      return std::move(*attempt.solution);
  }
  return direct.ladder();
}

/// Solves directly. In float64 that is Cholesky's ladder; in float32 it is tried without jitter, and a system that this
/// does not solve is solved in float64.
template <class Scalar>
Solution<Scalar> factor(const SolveTask<Scalar>& task, SymmetricSystem<Scalar> k) {
  if constexpr (std::is_same_v<Scalar, double>) {
    const PredictBetween<double> between = [&task](const Matrix<double>& alpha) {
      return multiply_kernel(task.kernel, probes(task.kernel, task.points, task.stream), task.points, alpha);
    };
    DirectSolver<double> direct(std::move(k), task.y, task.options, between);
    Solution<double> solution = factored(task, direct);
    if (task.hints.kept != nullptr) task.hints.kept->keep(direct.release());
    return solution;
  } else {
    std::string problem;
    {
      DirectSolver<float> direct(std::move(k), task.y, task.options);
      Attempt<float> attempt = plain_attempt(task, direct);
      problem = attempt.problem;
      if (attempt.solution && attempt.solution->summary.relative_residual > kExcusable)
        problem = fmt::format("the relative residual is {:.2g}", attempt.solution->summary.relative_residual);
      else if (attempt.solution)
        problem = rounding_problem<float>(task.kernel, task.points, direct.diagonal(), attempt.solution->alpha, task.y);
      if (problem.empty() && task.hints.kept != nullptr) task.hints.kept->keep(direct.release());
      if (problem.empty()) return std::move(*attempt.solution);
    }
    return solve_in_double(task.kernel, task.points, task.y, task.options, task.stream, "cholesky: " + problem);
  }
}

/// In what an iterative solver fell short of what was asked; empty: in nothing.
std::string shortfall(const SolverChoice& choice, const SolveSummary& summary, const std::string& problem, bool early) {
  if (early)
    return fmt::format("{} (relative residual {:.2g} after {} iterations)", summary.note, summary.relative_residual,
                       summary.iterations);
  return problem.empty() ? "" : choice.describe() + ": " + problem;
}

/// What follows if an iterative solver that `auto` chose has failed.
template <class Scalar>
Solution<Scalar> fall_back(const SolveTask<Scalar>& task, KernelOperator<Scalar>& k, SolverChoice choice,
                           const std::string& problem) {
  if (k.stored()) return factor<Scalar>(task, SymmetricSystem<Scalar>(k.release()));
  if constexpr (std::is_same_v<Scalar, float>) {
    return solve_in_double(task.kernel, task.points, task.y, task.options, task.stream, problem);
  } else {
    const double memory = task.options.memory > 0 ? task.options.memory : available_memory();
    choice.preconditioner_rank = higher_rank(task.y.rows(), choice.preconditioner_rank, sizeof(Scalar), memory);
    Iterated<Scalar> found = iterate<Scalar>(task, k, choice);
    if (!found.problem.empty()) refuse(task, choice, found.problem);
    return std::move(found.solution);
  }
}

/// K as an operator: the kept one, or anew.
template <class Scalar>
KernelOperator<Scalar> kernel_operator(const SolveTask<Scalar>& task, bool stored) {
  using Storage = typename KernelOperator<Scalar>::Storage;
  KeptKernel<Scalar>* const kept = task.hints.kept;
  if (kept != nullptr && !kept->empty() && stored) return {task.kernel, task.points, kept->take()};
  if (kept != nullptr) kept->drop();
  return {task.kernel, task.points, stored ? Storage::stored : Storage::recomputed};
}

/// K for a direct solver: the kept one, or anew.
template <class Scalar>
SymmetricSystem<Scalar> direct_system(const SolveTask<Scalar>& task) {
  KeptKernel<Scalar>* const kept = task.hints.kept;
  if (kept != nullptr && !kept->empty()) return kept->take_system();
  return SymmetricSystem<Scalar>(kernel_values(task.kernel, task.points));
}

/// solve() for targets whose squares stay in Scalar's range.
template <class Scalar>
Solution<Scalar> solve_scaled(const Kernel& kernel, const PreparedPoints<Scalar>& points, const MatrixView<Scalar>& y,
                              const SolverOptions& options, const RandomStream& stream,
                              const SolveHints<Scalar>& hints) {
  double free_bytes = std::numeric_limits<double>::infinity();  // asking takes longer than a small system
  if (!factors_directly(points.size(), options))
    free_bytes = available_memory() + (hints.kept != nullptr ? hints.kept->bytes() : 0);
  const SolverChoice choice =
      choose_solver({points.size(), points.points.cols(), y.cols()}, options, sizeof(Scalar), free_bytes);
  const SolveTask<Scalar> task{kernel, points, y, options, stream, hints};
  const Stopwatch begin;
  if (choice.kind == SolverKind::cholesky) {
    SymmetricSystem<Scalar> k = direct_system(task);
    const double kernel_seconds = begin.seconds();
    Solution<Scalar> solution = factor<Scalar>(task, std::move(k));
    solution.summary.kernel_seconds = kernel_seconds;
    return solution;
  }
  KernelOperator<Scalar> k = kernel_operator(task, choice.stored);
  const double kernel_seconds = choice.stored ? begin.seconds() : 0;
  auto [solution, problem, stopped_early] = iterate<Scalar>(task, k, choice);
  SolveSummary& summary = solution.summary;
  const bool changes_over =
      summary.termination == Termination::iteration_limit && choice.iterations < options.max_iterations;
  std::string note = changes_over ? "" : shortfall(choice, summary, problem, stopped_early);
  if (!note.empty()) spdlog::warn("kernel system of {} rows, ridge {:g}: {}", points.size(), options.ridge, note);
  const bool automatic = options.kind == SolverKind::automatic;
  if (!problem.empty() && !automatic) refuse(task, choice, problem);
  if (!problem.empty() || changes_over || (stopped_early && automatic && k.stored())) {
    const double spent = summary.seconds;
    solution = fall_back<Scalar>(task, k, choice, problem);
    summary.seconds += spent;
    if (!summary.note.empty()) note += "; " + summary.note;
  }
  summary.note = note;
  summary.kernel_seconds = kernel_seconds;
  if (hints.kept != nullptr && k.stored()) hints.kept->keep(SymmetricSystem<Scalar>(k.release()));
  return solution;
}

template <class Scalar>
void require_resolved_bandwidth(const Kernel& kernel, const PreparedPoints<Scalar>& points) {
  if (!kernel.radial()) return;
  const double least = 2 * std::sqrt(static_cast<double>(std::numeric_limits<Scalar>::min()));
  if (kernel.bandwidth() / points.unit >= least) return;
  throw NumericalError(
      fmt::format("kernel: bandwidth {:.6g} is so small beside the inputs that {} cannot hold "
                  "distances measured by it; use a larger bandwidth or bandwidth_mode: adaptive",
                  kernel.bandwidth(), sizeof(Scalar) == 4 ? "float32" : "float64"));
}

}  // namespace

template <class Scalar>
Solution<Scalar> solve(const Kernel& kernel, const PreparedPoints<Scalar>& points, const MatrixView<Scalar>& y,
                       const SolverOptions& options, const RandomStream& stream, const SolveHints<Scalar>& hints) {
  validate(options);
  require_targets<Scalar>(points.size(), y);
  require_resolved_bandwidth(kernel, points);
  const double largest = y.size() > 0 ? static_cast<double>(y.cwiseAbs().maxCoeff()) : 0;
  const double unit = range_unit<Scalar>(largest);
  if (unit == 1) return solve_scaled<Scalar>(kernel, points, y, options, stream, hints);
  const auto up = static_cast<Scalar>(unit), down = static_cast<Scalar>(1 / unit);
  SolveHints<Scalar> scaled{down * hints.start, {}, hints.kept, hints.spectral};
  if (hints.validation)
    scaled.validation = [&hints, up](const Matrix<Scalar>& alpha) { return hints.validation(up * alpha); };
  Solution<Scalar> solution = solve_scaled<Scalar>(kernel, points, Matrix<Scalar>(down * y), options, stream, scaled);
  solution.alpha *= up;
  solution.fitted *= up;
  if (!solution.alpha.allFinite())
    throw NumericalError(
        fmt::format("solve: the targets are so large (up to {:.3g}) that coefficients overflow; look for wrong values "
                    "or scale them",
                    largest));
  return solution;
}

template <class Scalar>
Solution<Scalar> solve(const Kernel& kernel, const FeatureMatrix<Scalar>& metric, const MatrixView<Scalar>& x,
                       const MatrixView<Scalar>& y, const SolverOptions& options, const RandomStream& stream,
                       const SolveHints<Scalar>& hints) {
  const MetricCoordinates<Scalar> coordinates(kernel, metric, x);
  return solve<Scalar>(kernel, coordinates.prepare(x), y, options, stream, hints);
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                         \
  template Solution<Scalar> solve(const Kernel&, const PreparedPoints<Scalar>&, const MatrixView<Scalar>&, \
                                  const SolverOptions&, const RandomStream&, const SolveHints<Scalar>&);   \
  template Solution<Scalar> solve(const Kernel&, const FeatureMatrix<Scalar>&, const MatrixView<Scalar>&,  \
                                  const MatrixView<Scalar>&, const SolverOptions&, const RandomStream&,    \
                                  const SolveHints<Scalar>&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz::rfm
