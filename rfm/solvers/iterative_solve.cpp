#include "rfm/solvers/iterative_solve.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/stopwatch.h"
#include "rfm/solvers/double_solve.h"
#include "rfm/solvers/iterative/conjugate_gradient.h"
#include "rfm/solvers/iterative/eigenpro.h"

namespace ansatz::rfm {
namespace {

constexpr double kNothingLearnt = 1;  // the relative residual of alpha = 0

/// The solution as both iterative solvers return it, from the residual Y - (K + ridge I) alpha measured at the end.
template <class Scalar>
Solution<Scalar> finished(Matrix<Scalar> alpha, const Matrix<double>& residual, const MatrixView<Scalar>& y,
                          const SolverOptions& options, SolveSummary summary) {
  const double scale = y.template cast<double>().norm(), left = residual.norm();
  summary.relative_residual = scale > 0 ? left / scale : left;
  Solution<Scalar> solution;
  solution.fitted = y - residual.template cast<Scalar>() - static_cast<Scalar>(options.ridge) * alpha;
  solution.alpha = std::move(alpha);
  solution.summary = std::move(summary);
  return solution;
}

/// The residual that rounding the coefficients to Scalar may leave by itself: epsilon |K| |alpha|. |K| is estimated by
/// the product of K with ones, since its entries are of one sign.
template <class Scalar>
double attainable_residual(const KernelOperator<Scalar>& k, const Matrix<Scalar>& alpha) {
  const Matrix<Scalar> ones = Matrix<Scalar>::Ones(k.size(), 1);
  const double norm = k.multiply(ones).norm() / std::sqrt(static_cast<double>(k.size()));
  return static_cast<double>(Eigen::NumTraits<Scalar>::epsilon()) * norm * alpha.template cast<double>().norm();
}

template <class Scalar>
Iterated<Scalar> solve_pcg(const KernelOperator<Scalar>& k, const MatrixView<Scalar>& y, const SolverOptions& options,
                           const SolverChoice& choice, const RandomStream& stream, const SolveHints<Scalar>& hints) {
  const Stopwatch begin;
  const Index rank = choice.preconditioner_rank;
  const NystromPreconditioner<Scalar> preconditioner(k, options.ridge, rank, stream.named("preconditioner"));
  const double set_up = begin.seconds();
  ConjugateGradientResult<Scalar> found = conjugate_gradient<Scalar>(
      k, preconditioner, y, hints.start, {options.ridge, options.tolerance, choice.iterations}, hints.validation);
  const double n = static_cast<double>(y.rows()), c = static_cast<double>(y.cols()), s = static_cast<double>(rank);
  SolveSummary summary;
  summary.method = choice.describe();
  summary.iterations = found.iterations;
  summary.preconditioner_rank = preconditioner.rank();
  summary.termination = found.termination;
  summary.stopped = found.stopped;
  summary.history = std::move(found.history);
  for (SolveProgress& point : summary.history) point.seconds += set_up;
  summary.flops = static_cast<double>(found.iterations + 1) * (2 * n * n * c + 4 * n * s * c) + 2 * n * s * s;
  const double left = found.residual.norm();
  const bool early =
      found.termination != Termination::converged &&
      (left > kExcusable * y.template cast<double>().norm() || left > attainable_residual(k, found.alpha));
  if (early) summary.note = fmt::format("pcg stopped early: {}", found.stopped);
  summary.seconds = begin.seconds();
  const double between = found.error_energy * std::sqrt(k.diagonal().template cast<double>().mean());
  Iterated<Scalar> result{finished<Scalar>(std::move(found.alpha), found.residual, y, options, std::move(summary)), "",
                          early};
  const double looser = std::max(1.0, options.tolerance / SolverOptions().tolerance);  // if asked for
  if (!(between <= kFaithful * looser * y.template cast<double>().norm()))
    result.problem = fmt::format("its residual of {:.2g} leaves predictions between the rows open",
                                 result.solution.summary.relative_residual);
  return result;
}

template <class Scalar>
Iterated<Scalar> solve_eigenpro(const KernelOperator<Scalar>& k, const MatrixView<Scalar>& y,
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
  summary.termination = found.termination;
  summary.stopped = fmt::format("{} (batch {}, step {:.3g})", found.stopped, found.batch, found.step);
  summary.history = std::move(found.history);
  summary.flops = static_cast<double>(found.epochs + 1) * 2 * n * n * c;
  const Matrix<double> residual =
      y.template cast<double>() - k.multiply(found.alpha) - options.ridge * found.alpha.template cast<double>();
  summary.seconds = begin.seconds();
  return {finished<Scalar>(std::move(found.alpha), residual, y, options, std::move(summary)), ""};
}

}  // namespace

template <class Scalar>
Iterated<Scalar> iterate(const SolveTask<Scalar>& task, const KernelOperator<Scalar>& k, const SolverChoice& choice) {
  const bool pcg = choice.kind == SolverKind::pcg;
  Iterated<Scalar> found =
      pcg ? solve_pcg<Scalar>(k, task.y, task.options, choice, task.stream, task.hints)
          : solve_eigenpro<Scalar>(k, task.y, task.options, choice, task.stream, task.hints.validation);
  const bool early = !pcg && task.hints.validation;
  const double allowed = early ? kNothingLearnt : std::max(task.options.tolerance, kExcusable);
  const SolveSummary& summary = found.solution.summary;
  if (!(summary.relative_residual <= allowed))
    found.problem = fmt::format("the relative residual is {:.2g} ({})", summary.relative_residual, summary.stopped);
  if (found.problem.empty())
    found.problem = rounding_problem<Scalar>(task.kernel, task.points, k.diagonal(), found.solution.alpha, task.y);
  return found;
}

template Iterated<float> iterate(const SolveTask<float>&, const KernelOperator<float>&, const SolverChoice&);
template Iterated<double> iterate(const SolveTask<double>&, const KernelOperator<double>&, const SolverChoice&);

}  // namespace ansatz::rfm
