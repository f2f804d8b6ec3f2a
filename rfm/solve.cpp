#include "rfm/solve.h"

#include <spdlog/spdlog.h>

#include <chrono>
#include <cmath>

#include "core/error.h"
#include "core/memory.h"
#include "rfm/conjugate_gradient.h"

namespace ansatz::rfm {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

constexpr Index kIterativeFrom =
    4000;  // points from which iterating beats factoring, as measured (docs/performance.md)
constexpr double kShareOfMemory = 0.9;  // of what is free, for K

Index default_rank(Index n) {
  const auto rank = static_cast<Index>(4 * std::sqrt(static_cast<double>(n)));
  return std::min(n, std::clamp<Index>(rank, 100, 1500));
}

template <class Scalar>
void require_targets(Index n, const MatrixView<Scalar>& y) {
  if (n != y.rows()) throw DataError(fmt::format("solve: {} rows of inputs, but {} of targets", n, y.rows()));
  if (!y.allFinite())
    throw NumericalError("solve: the targets hold values that are not finite; look for missing values");
}

template <class Scalar>
Solution<Scalar> iterate(const KernelOperator<Scalar>& k, const MatrixView<Scalar>& y, const SolverOptions& options,
                         Index rank, const RandomStream& stream, const Matrix<Scalar>& start) {
  const auto begin = Clock::now();
  const NystromPreconditioner<Scalar> preconditioner(k, options.ridge, rank, stream.named("preconditioner"));
  ConjugateGradientResult<Scalar> found = conjugate_gradient<Scalar>(
      k, preconditioner, y, start, {options.ridge, options.tolerance, options.max_iterations});
  Solution<Scalar> solution;
  SolveSummary& summary = solution.summary;
  const double scale = y.template cast<double>().norm(), left = found.residual.norm();
  const double n = static_cast<double>(y.rows()), c = static_cast<double>(y.cols()), s = static_cast<double>(rank);
  summary.method = k.stored() ? "pcg, K in memory" : "pcg, K recomputed";
  summary.iterations = found.iterations;
  summary.preconditioner_rank = preconditioner.rank();
  summary.stopped = found.stopped;
  summary.relative_residual = scale > 0 ? left / scale : left;
  summary.flops = static_cast<double>(found.iterations + 1) * (2 * n * n * c + 4 * n * s * c) + 2 * n * s * s;
  solution.fitted = y - found.residual.template cast<Scalar>() - static_cast<Scalar>(options.ridge) * found.alpha;
  solution.alpha = std::move(found.alpha);
  summary.seconds = seconds_since(begin);
  if (!solution.alpha.allFinite())
    throw NumericalError(
        fmt::format("the kernel system of {} rows with ridge {:g} has no finite solution by conjugate "
                    "gradients; use a larger ridge or solver: cholesky",
                    y.rows(), options.ridge));
  if (!found.converged) summary.note = fmt::format("pcg stopped early: {}", found.stopped);
  return solution;
}

template <class Scalar>
Solution<Scalar> factor(Matrix<Scalar> k, const MatrixView<Scalar>& y, const SolverOptions& options,
                        double kernel_seconds) {
  Solution<Scalar> solution = solve_formed<Scalar>(std::move(k), y, options);
  solution.summary.kernel_seconds = kernel_seconds;
  return solution;
}

}  // namespace

SolverChoice choose_solver(Index n, Index outputs, const SolverOptions& options, std::size_t scalar_bytes,
                           double free_bytes) {
  const double bytes = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(scalar_bytes);
  const bool fits = bytes <= kShareOfMemory * free_bytes;
  SolverChoice choice;
  choice.kind = options.kind;
  if (options.kind == SolverKind::automatic) {
    choice.kind = n < kIterativeFrom && fits ? SolverKind::cholesky : SolverKind::pcg;
    choice.reason = n < kIterativeFrom ? fmt::format("n < {}", kIterativeFrom) : fmt::format("n >= {}", kIterativeFrom);
  } else {
    choice.reason = "asked for";
  }
  choice.stored = choice.kind == SolverKind::cholesky || fits;
  if (choice.kind != SolverKind::cholesky)
    choice.preconditioner_rank =
        options.preconditioner_rank > 0 ? std::min(n, options.preconditioner_rank) : default_rank(n);
  if (!choice.stored) choice.reason += fmt::format("; K would take {:.1f} GB", bytes / 1e9);
  (void)outputs;
  return choice;
}

template <class Scalar>
Solution<Scalar> solve(const Kernel& kernel, const PreparedPoints<Scalar>& points, const MatrixView<Scalar>& y,
                       const SolverOptions& options, const RandomStream& stream, const Matrix<Scalar>& start) {
  validate(options);
  require_targets<Scalar>(points.size(), y);
  const SolverChoice choice = choose_solver(points.size(), y.cols(), options, sizeof(Scalar), available_memory());
  const auto begin = Clock::now();
  using Storage = typename KernelOperator<Scalar>::Storage;
  KernelOperator<Scalar> k(kernel, points, choice.stored ? Storage::stored : Storage::recomputed);
  const double kernel_seconds = choice.stored ? seconds_since(begin) : 0;
  if (choice.kind == SolverKind::cholesky) return factor<Scalar>(k.release(), y, options, kernel_seconds);
  Solution<Scalar> solution = iterate<Scalar>(k, y, options, choice.preconditioner_rank, stream, start);
  solution.summary.kernel_seconds = kernel_seconds;
  if (solution.summary.note.empty()) return solution;
  const std::string note = fmt::format("{} (relative residual {:.2g} after {} iterations)", solution.summary.note,
                                       solution.summary.relative_residual, solution.summary.iterations);
  spdlog::warn("kernel system of {} rows, ridge {:g}: {}", points.size(), options.ridge, note);
  if (options.kind == SolverKind::automatic && k.stored()) {
    const double spent = solution.summary.seconds;
    solution = factor<Scalar>(k.release(), y, options, kernel_seconds);
    solution.summary.seconds += spent;
  }
  solution.summary.note = solution.summary.note.empty() ? note : note + "; " + solution.summary.note;
  return solution;
}

template <class Scalar>
Solution<Scalar> solve(const Kernel& kernel, const FeatureMatrix<Scalar>& metric, const MatrixView<Scalar>& x,
                       const MatrixView<Scalar>& y, const SolverOptions& options, const RandomStream& stream,
                       const Matrix<Scalar>& start) {
  const MetricCoordinates<Scalar> coordinates(kernel, metric, x);
  return solve<Scalar>(kernel, coordinates.prepare(x), y, options, stream, start);
}

const std::vector<SolverInfo>& solver_table() {
  static const std::vector<SolverInfo> table = {
      {SolverKind::automatic, "auto", "cholesky for few points, pcg from a few thousand on; K in memory where it fits"},
      {SolverKind::cholesky, "cholesky",
       "direct, in place on one triangle: n^2 numbers, n^3/3 flops; residual always measured"},
      {SolverKind::pcg, "pcg",
       "conjugate gradients with a Nystrom preconditioner: 2 n^2 c flops an iteration; K in memory or recomputed"},
  };
  return table;
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                         \
  template Solution<Scalar> solve(const Kernel&, const PreparedPoints<Scalar>&, const MatrixView<Scalar>&, \
                                  const SolverOptions&, const RandomStream&, const Matrix<Scalar>&);       \
  template Solution<Scalar> solve(const Kernel&, const FeatureMatrix<Scalar>&, const MatrixView<Scalar>&,  \
                                  const MatrixView<Scalar>&, const SolverOptions&, const RandomStream&,    \
                                  const Matrix<Scalar>&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)

}  // namespace ansatz::rfm
