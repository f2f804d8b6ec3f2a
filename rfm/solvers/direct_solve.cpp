#include "rfm/solvers/direct_solve.h"

#include <spdlog/spdlog.h>

#include <cmath>
#include <limits>

#include "core/base/epsilon.h"
#include "core/base/error.h"
#include "core/base/stopwatch.h"

namespace ansatz::rfm {
namespace {

constexpr int kRefinements = 3;
constexpr double kResolved = 1e4;                  // in units of epsilon: a pivot above this keeps four digits
constexpr double kRoundingStill = 10 * kFaithful;  // if more jitter changes predictions up to this, rounding may do it

/// alpha with the residual that was measured for it.
template <class Scalar>
struct Candidate {
  Matrix<Scalar> alpha;
  Matrix<Scalar> residual;  // Y - (K + ridge I) alpha
  double relative_residual = std::numeric_limits<double>::infinity();
  int refinements = 0;
};

template <class Scalar>
Candidate<Scalar> measure(const SymmetricSystem<Scalar>& system, const MatrixView<Scalar>& y, double ridge,
                          Matrix<Scalar> alpha) {
  Candidate<Scalar> result;
  if (alpha.allFinite()) {
    Eigen::MatrixXd residual = y.template cast<double>() - system.multiply(alpha);
    residual -= ridge * alpha.template cast<double>();
    const double scale = y.template cast<double>().norm(), norm = residual.norm();
    result.relative_residual = scale > 0 ? norm / scale : norm;
    result.residual = residual.template cast<Scalar>();
  }
  result.alpha = std::move(alpha);
  return result;
}

/// Solves by the factor at hand and refines as long as the residual is above rounding and each step halves it. A step
/// costs 4 n^2 c flops beside the factor's n^3/3, and takes a residual in float32 from about 1e-6 to 1e-7.
template <class Scalar>
Candidate<Scalar> solve_and_refine(const SymmetricSystem<Scalar>& system, const MatrixView<Scalar>& y, double ridge) {
  Candidate<Scalar> best = measure<Scalar>(system, y, ridge, system.solve(y));
  const double rounding = 2 * epsilon<Scalar>();
  while (best.refinements < kRefinements && std::isfinite(best.relative_residual) &&
         best.relative_residual > rounding) {
    Candidate<Scalar> next = measure<Scalar>(system, y, ridge, best.alpha + system.solve(best.residual));
    if (!(next.relative_residual < best.relative_residual)) break;
    const bool halved = next.relative_residual < 0.5 * best.relative_residual;
    next.refinements = best.refinements + 1;
    best = std::move(next);
    if (!halved) break;
  }
  return best;
}

template <class Scalar>
SymmetricSystem<Scalar> square(Matrix<Scalar> k) {
  if (k.rows() != k.cols()) throw DataError(fmt::format("solve: a kernel matrix of {} x {}", k.rows(), k.cols()));
  return SymmetricSystem<Scalar>(std::move(k));
}

}  // namespace

template <class Scalar>
double prediction_noise(const Vector<Scalar>& diagonal, const Matrix<Scalar>& alpha, const MatrixView<Scalar>& y) {
  const Vector<double> lengths = diagonal.template cast<double>().cwiseAbs().cwiseSqrt();
  const double scale = y.template cast<double>().norm();
  const double summands = (lengths.asDiagonal() * alpha.template cast<double>()).norm();
  return scale > 0 ? epsilon<Scalar>() * lengths.norm() * summands / scale : 0;
}

template <class Scalar>
DirectSolver<Scalar>::DirectSolver(Matrix<Scalar> k, const MatrixView<Scalar>& y, const SolverOptions& options,
                                   PredictBetween<Scalar> between)
    : DirectSolver(square(std::move(k)), y, options, std::move(between)) {}

template <class Scalar>
DirectSolver<Scalar>::DirectSolver(SymmetricSystem<Scalar> k, const MatrixView<Scalar>& y, const SolverOptions& options,
                                   PredictBetween<Scalar> between)
    : system_(std::move(k)), y_(y), options_(options), between_(std::move(between)) {
  validate(options);
  if (system_.size() != y.rows())
    throw DataError(
        fmt::format("solve: a {0} x {0} kernel matrix and {1} rows of targets do not fit", system_.size(), y.rows()));
  require_finite_targets<Scalar>(y);
}

template <class Scalar>
std::vector<double> DirectSolver<Scalar>::relative_jitters() {
  if (sizeof(Scalar) == 4) return {1e-7, 1e-6, 1e-5, 1e-4};
  return {1e-14, 1e-12, 1e-10, 1e-8};
}

template <class Scalar>
bool DirectSolver<Scalar>::factor(const Rung& rung) {
  ++factored_;
  if (rung.method == Method::cholesky) return system_.factor_cholesky(options_.ridge, rung.jitter);
  return rung.method == Method::ldlt ? system_.factor_ldlt(options_.ridge) : system_.factor_eigen(options_.ridge);
}

template <class Scalar>
std::string DirectSolver<Scalar>::describe(const Rung& rung) {
  if (rung.method == Method::ldlt) return "ldlt";
  if (rung.method == Method::eigen) return "eigen";
  return rung.jitter > 0 ? fmt::format("cholesky with jitter {:.3g}", rung.jitter) : "cholesky";
}

template <class Scalar>
Attempt<Scalar> DirectSolver<Scalar>::attempt(const Rung& rung) {
  const Stopwatch start;
  Attempt<Scalar> result;
  if (!factor(rung)) {
    result.problem = "the factorisation failed";
    return result;
  }
  if (rung.method == Method::cholesky) definite_ = true;
  Candidate<Scalar> found = solve_and_refine<Scalar>(system_, y_, options_.ridge);
  if (!(found.relative_residual <= 1)) {
    result.problem = fmt::format("its relative residual is {:.3g}", found.relative_residual);
    return result;
  }
  const double n = static_cast<double>(y_.rows()), c = static_cast<double>(y_.cols());
  Solution<Scalar>& solution = result.solution.emplace();
  solution.summary.method = describe(rung);
  solution.summary.jitter = rung.jitter * system_.diagonal().template cast<double>().mean();
  solution.summary.refinements = found.refinements;
  solution.summary.relative_residual = found.relative_residual;
  solution.summary.flops = n * n * n / 3 + 2 * n * n * c * (1 + found.refinements);
  solution.fitted = y_ - found.residual - static_cast<Scalar>(options_.ridge) * found.alpha;
  solution.alpha = std::move(found.alpha);
  solution.summary.seconds = start.seconds();
  return result;
}

template <class Scalar>
Attempt<Scalar> DirectSolver<Scalar>::spectral() {
  Attempt<Scalar> result = attempt({Method::eigen, 0});
  if (!(system_.least_eigenvalue() > (sizeof(Scalar) == 4 ? 1 : kResolved) * epsilon<Scalar>()))
    result = {std::nullopt, "its eigenvalues are too small for rounding"};
  const double n = static_cast<double>(y_.rows()), c = static_cast<double>(y_.cols());
  if (result.solution) result.solution->summary.flops = 4 * n * n * c * (1 + result.solution->summary.refinements);
  return result;
}

/// An attempt that has an answer only if rounding leaves its predictions alone.
template <class Scalar>
Attempt<Scalar> DirectSolver<Scalar>::faithful(const Rung& rung) {
  Attempt<Scalar> result = attempt(rung);
  if (result.solution && prediction_noise<Scalar>(system_.diagonal(), result.solution->alpha, y_) > kFaithful)
    result = {std::nullopt, "its coefficients are so large that rounding swamps the predictions"};
  return result;
}

template <class Scalar>
Matrix<Scalar> DirectSolver<Scalar>::coefficients_of(const Matrix<Scalar>& fitted, double jitter) {
  if (!system_.factor_cholesky(0, jitter)) return {};
  return solve_and_refine<Scalar>(system_, fitted, 0).alpha;
}

/// Root mean square of the difference of two solutions' predictions, relative to the targets, at the rows or between
/// them, whichever is larger.
template <class Scalar>
double DirectSolver<Scalar>::difference(const Solution<Scalar>& a, const Solution<Scalar>& b) const {
  const double scale = y_.template cast<double>().norm();
  if (!(scale > 0)) return 0;
  const double at_rows = (a.fitted - b.fitted).template cast<double>().norm() / scale;
  if (!between_) return at_rows;
  const Matrix<double> between = between_(a.alpha) - between_(b.alpha);
  const double share = std::sqrt(static_cast<double>(between.rows()) / static_cast<double>(y_.rows()));
  return std::max(at_rows, between.norm() / (share * scale));
}

template <class Scalar>
void DirectSolver<Scalar>::pass_over(const Rung& rung, const std::string& problem) {
  const std::string remedy = describe(rung);
  spdlog::warn("kernel system of {} rows, ridge {:g}: {} will not do ({}); trying the next remedy", y_.rows(),
               options_.ridge, remedy, problem);
  if (first_problem_.empty()) first_problem_ = remedy + ": " + problem;
}

/// The answer with the smallest jitter that has one, provided that ten times this jitter gives the same predictions.
template <class Scalar>
std::optional<Solution<Scalar>> DirectSolver<Scalar>::by_cholesky() {
  constexpr double kRounding = 4 * epsilon<Scalar>();
  std::vector<double> jitters = relative_jitters();
  jitters.insert(jitters.begin(), 0);
  for (const double jitter : jitters) {
    const Rung rung{Method::cholesky, jitter};
    Attempt<Scalar> result = faithful(rung);
    if (!result.solution) {
      pass_over(rung, result.problem);
      continue;
    }
    if (jitter == 0 && system_.least_pivot() > kResolved * epsilon<Scalar>()) return std::move(result.solution);
    const Rung more{Method::cholesky, jitter > 0 ? 10 * jitter : kRounding};
    const Attempt<Scalar> other = faithful(more);
    const double change = other.solution ? difference(*result.solution, *other.solution) : 1;
    if (change <= kFaithful) return std::move(result.solution);
    pass_over(rung, fmt::format("{} changes its predictions by {:.2g} of the targets' size", describe(more), change));
    if (change > kRoundingStill) break;  // a larger jitter would only hide that the answer depends on it
  }
  return std::nullopt;
}

/// The answer of LDL^T or of the eigen-decomposition, if it solves the system.
template <class Scalar>
std::optional<Solution<Scalar>> DirectSolver<Scalar>::without_jitter(Method method) {
  constexpr double kSolved = 1e-3;  // relative residual
  Attempt<Scalar> result = faithful({method, 0});
  if (result.solution && result.solution->summary.relative_residual > kSolved)
    result = {std::nullopt, fmt::format("its relative residual is {:.3g}", result.solution->summary.relative_residual)};
  if (!result.solution) pass_over({method, 0}, result.problem);
  return std::move(result.solution);
}

template <class Scalar>
Solution<Scalar> DirectSolver<Scalar>::ladder() {
  const Stopwatch start;
  factored_ = 0;
  std::optional<Solution<Scalar>> found = by_cholesky();
  if (!found && !definite_) found = without_jitter(Method::ldlt);
  if (!found && !definite_) found = without_jitter(Method::eigen);
  if (!found) {
    throw NumericalError(fmt::format(
        "the kernel system of {} rows with ridge {:g} is singular to rounding, and no remedy gives an answer that "
        "rounding does not decide; use a larger ridge",
        y_.rows(), options_.ridge));
  }
  const double n = static_cast<double>(y_.rows());
  found->summary.flops += (factored_ - 1) * n * n * n / 3;
  found->summary.note = first_problem_;
  found->summary.seconds = start.seconds();
  return std::move(*found);
}

template <class Scalar>
Solution<Scalar> solve_formed(Matrix<Scalar> k, const MatrixView<Scalar>& y, const SolverOptions& options,
                              PredictBetween<Scalar> between) {
  return DirectSolver<Scalar>(std::move(k), y, options, std::move(between)).ladder();
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                        \
  template class DirectSolver<Scalar>;                                                                    \
  template Solution<Scalar> solve_formed(Matrix<Scalar>, const MatrixView<Scalar>&, const SolverOptions&, \
                                         PredictBetween<Scalar>);                                         \
  template double prediction_noise(const Vector<Scalar>&, const Matrix<Scalar>&, const MatrixView<Scalar>&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz::rfm
