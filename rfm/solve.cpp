#include "rfm/solve.h"

#include <spdlog/spdlog.h>

#include <cmath>
#include <stdexcept>

#include "core/error.h"
#include "core/memory.h"
#include "core/stopwatch.h"
#include "rfm/conjugate_gradient.h"
#include "rfm/eigenpro.h"
#include "rfm/gradient_form.h"

namespace ansatz::rfm {
namespace {

constexpr Index kIterativeFrom =
    6000;  // points from which iterating beats factoring, as measured (docs/performance.md)
constexpr double kShareOfMemory = 0.9;  // of what is free, for K

constexpr double kTypicalIterations = 25;

Index default_rank(Index n) {
  const auto rank = static_cast<Index>(4 * std::sqrt(static_cast<double>(n)));
  return std::min(n, std::clamp<Index>(rank, 100, 1500));
}

/// Flops and bytes of the solver chosen.
void add_cost(const SystemSize& size, const SolverOptions& options, std::size_t scalar_bytes, SolverChoice& choice) {
  const double n = static_cast<double>(size.points), q = static_cast<double>(size.width);
  const double c = static_cast<double>(size.outputs), s = static_cast<double>(choice.preconditioner_rank);
  const double scalar = static_cast<double>(scalar_bytes), form = n * n * (q + kPassFlops / 2);  // one triangle of K
  choice.bytes = choice.stored ? n * n * scalar : 0;
  choice.flops = choice.stored ? form : 0;
  if (choice.kind == SolverKind::cholesky) {
    choice.flops += n * n * n / 3 + 4 * n * n * c;
  } else if (choice.kind == SolverKind::pcg) {
    choice.flops += 4 * n * s * s + kTypicalIterations * (2 * n * n * c + 4 * n * s * c + (choice.stored ? 0 : form));
    choice.bytes += scalar * n * s + 16 * s * s + 8 * 8 * n * c;
  } else {
    choice.flops += static_cast<double>(options.max_epochs) * (2 * n * n * c + (choice.stored ? 0 : 2 * form));
    choice.bytes += (choice.stored ? 1 : 2) * std::min(kEigenProBatchBytes, scalar * n * n);
  }
}

template <class Scalar>
void require_targets(Index n, const MatrixView<Scalar>& y) {
  if (n != y.rows()) throw DataError(fmt::format("solve: {} rows of inputs, but {} of targets", n, y.rows()));
  if (!y.allFinite())
    throw NumericalError("solve: the targets hold values that are not finite; look for missing values");
}

/// What both iterative solvers report, from the residual Y - (K + ridge I) alpha as measured at the end.
template <class Scalar>
Solution<Scalar> finished(Matrix<Scalar> alpha, const Matrix<double>& residual, const MatrixView<Scalar>& y,
                          const SolverOptions& options, SolveSummary summary) {
  if (!alpha.allFinite())
    throw NumericalError(
        fmt::format("the kernel system of {} rows with ridge {:g} has no finite solution by {}; use a "
                    "larger ridge or solver: cholesky",
                    y.rows(), options.ridge, summary.method));
  const double scale = y.template cast<double>().norm(), left = residual.norm();
  summary.relative_residual = scale > 0 ? left / scale : left;
  Solution<Scalar> solution;
  solution.fitted = y - residual.template cast<Scalar>() - static_cast<Scalar>(options.ridge) * alpha;
  solution.alpha = std::move(alpha);
  solution.summary = std::move(summary);
  return solution;
}

/// What rounding the coefficients to Scalar alone may leave: epsilon |K| |alpha|, |K| from its product with ones (its
/// entries are of one sign).
template <class Scalar>
double attainable_residual(const KernelOperator<Scalar>& k, const Matrix<Scalar>& alpha) {
  const Matrix<Scalar> ones = Matrix<Scalar>::Ones(k.size(), 1);
  const double norm = k.multiply(ones).norm() / std::sqrt(static_cast<double>(k.size()));
  return static_cast<double>(Eigen::NumTraits<Scalar>::epsilon()) * norm * alpha.template cast<double>().norm();
}

template <class Scalar>
Solution<Scalar> solve_pcg(const KernelOperator<Scalar>& k, const MatrixView<Scalar>& y, const SolverOptions& options,
                           const SolverChoice& choice, const RandomStream& stream, const SolveHints<Scalar>& hints) {
  const Stopwatch begin;
  const Index rank = choice.preconditioner_rank;
  const NystromPreconditioner<Scalar> preconditioner(k, options.ridge, rank, stream.named("preconditioner"));
  const double set_up = begin.seconds();
  ConjugateGradientResult<Scalar> found = conjugate_gradient<Scalar>(
      k, preconditioner, y, hints.start, {options.ridge, options.tolerance, options.max_iterations}, hints.validation);
  const double n = static_cast<double>(y.rows()), c = static_cast<double>(y.cols()), s = static_cast<double>(rank);
  SolveSummary summary;
  summary.method = choice.describe();
  summary.iterations = found.iterations;
  summary.preconditioner_rank = preconditioner.rank();
  summary.stopped = found.stopped;
  summary.history = std::move(found.history);
  for (SolveProgress& point : summary.history) point.seconds += set_up;
  summary.flops = static_cast<double>(found.iterations + 1) * (2 * n * n * c + 4 * n * s * c) + 2 * n * s * s;
  if (!found.converged && found.residual.norm() > attainable_residual(k, found.alpha))
    summary.note = fmt::format("pcg stopped early: {}", found.stopped);
  summary.seconds = begin.seconds();
  return finished<Scalar>(std::move(found.alpha), found.residual, y, options, std::move(summary));
}

template <class Scalar>
Solution<Scalar> solve_eigenpro(const KernelOperator<Scalar>& k, const MatrixView<Scalar>& y,
                                const SolverOptions& options, const SolverChoice& choice, const RandomStream& stream,
                                const ValidationError<Scalar>& validation) {
  const Stopwatch begin;
  EigenProOptions how;
  how.ridge = options.ridge;
  how.tolerance = options.tolerance;
  how.max_epochs = options.max_epochs;
  EigenProResult<Scalar> found = eigenpro<Scalar>(k, y, how, stream.named("eigenpro"), validation);
  const double n = static_cast<double>(y.rows()), c = static_cast<double>(y.cols());
  SolveSummary summary;
  summary.method = choice.describe();
  summary.iterations = found.epochs;
  summary.preconditioner_rank = found.directions;
  summary.stopped = fmt::format("{} (batch {}, step {:.3g})", found.stopped, found.batch, found.step);
  summary.history = std::move(found.history);
  summary.flops = static_cast<double>(found.epochs + 1) * 2 * n * n * c;
  const Matrix<double> residual =
      y.template cast<double>() - k.multiply(found.alpha) - options.ridge * found.alpha.template cast<double>();
  summary.seconds = begin.seconds();
  return finished<Scalar>(std::move(found.alpha), residual, y, options, std::move(summary));
}

template <class Scalar>
Solution<Scalar> factor(Matrix<Scalar> k, const MatrixView<Scalar>& y, const SolverOptions& options,
                        double kernel_seconds) {
  Solution<Scalar> solution = solve_formed<Scalar>(std::move(k), y, options);
  solution.summary.kernel_seconds = kernel_seconds;
  return solution;
}

}  // namespace

std::string SolverChoice::describe() const {
  for (const SolverInfo& row : solver_table()) {
    if (row.kind != kind) continue;
    return kind == SolverKind::cholesky ? row.name : row.name + (stored ? ", K in memory" : ", K recomputed");
  }
  throw std::logic_error("a solver without a name");
}

SolverChoice choose_solver(const SystemSize& size, const SolverOptions& options, std::size_t scalar_bytes,
                           double free_bytes) {
  const double n = static_cast<double>(size.points), matrix = n * n * static_cast<double>(scalar_bytes);
  const bool fits = matrix <= kShareOfMemory * free_bytes;
  SolverChoice choice;
  choice.kind = options.kind;
  choice.reason = "asked for";
  if (options.kind == SolverKind::automatic) {
    const bool few = size.points < kIterativeFrom;
    choice.kind = few ? SolverKind::cholesky : SolverKind::pcg;
    choice.reason = fmt::format("n {} {}", few ? "<" : ">=", kIterativeFrom);
  }
  choice.stored = choice.kind == SolverKind::cholesky || fits;
  if (!choice.stored) choice.reason += fmt::format("; K would take {:.1f} GB", matrix / 1e9);
  if (choice.kind == SolverKind::pcg)
    choice.preconditioner_rank = options.preconditioner_rank > 0 ? std::min(size.points, options.preconditioner_rank)
                                                                 : default_rank(size.points);
  add_cost(size, options, scalar_bytes, choice);
  return choice;
}

template <class Scalar>
Solution<Scalar> solve(const Kernel& kernel, const PreparedPoints<Scalar>& points, const MatrixView<Scalar>& y,
                       const SolverOptions& options, const RandomStream& stream, const SolveHints<Scalar>& hints) {
  validate(options);
  require_targets<Scalar>(points.size(), y);
  const SolverChoice choice =
      choose_solver({points.size(), points.points.cols(), y.cols()}, options, sizeof(Scalar), available_memory());
  const Stopwatch begin;
  using Storage = typename KernelOperator<Scalar>::Storage;
  KernelOperator<Scalar> k(kernel, points, choice.stored ? Storage::stored : Storage::recomputed);
  const double kernel_seconds = choice.stored ? begin.seconds() : 0;
  if (choice.kind == SolverKind::cholesky) return factor<Scalar>(k.release(), y, options, kernel_seconds);
  Solution<Scalar> solution = choice.kind == SolverKind::pcg
                                  ? solve_pcg<Scalar>(k, y, options, choice, stream, hints)
                                  : solve_eigenpro<Scalar>(k, y, options, choice, stream, hints.validation);
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
                       const SolveHints<Scalar>& hints) {
  const MetricCoordinates<Scalar> coordinates(kernel, metric, x);
  return solve<Scalar>(kernel, coordinates.prepare(x), y, options, stream, hints);
}

const std::vector<SolverInfo>& solver_table() {
  static const std::vector<SolverInfo> table = {
      {SolverKind::automatic, "auto", "cholesky for few points, pcg from a few thousand on; K in memory where it fits"},
      {SolverKind::cholesky, "cholesky",
       "direct, in place on one triangle: n^2 numbers, n^3/3 flops; residual always measured"},
      {SolverKind::pcg, "pcg",
       "conjugate gradients with a Nystrom preconditioner: 2 n^2 c flops an iteration; K in memory or recomputed"},
      {SolverKind::eigenpro, "eigenpro",
       "preconditioned stochastic iteration in batches, early stopping on validation; K never needs to be stored"},
  };
  return table;
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
