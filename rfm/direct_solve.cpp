#include "rfm/direct_solve.h"

#include <spdlog/spdlog.h>

#include <cmath>
#include <limits>

#include "core/epsilon.h"
#include "core/error.h"
#include "core/stopwatch.h"

namespace ansatz::rfm {
namespace {

constexpr int kRefinements = 3;

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
/// costs 4 n^2 c flops beside the factor's n^3/3, and takes float32 from some 1e-6 to 1e-7.
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
Matrix<Scalar> square(Matrix<Scalar> k, Index rows) {
  if (k.rows() != k.cols() || k.rows() != rows)
    throw DataError(
        fmt::format("solve: a {} x {} kernel matrix and {} rows of targets do not fit", k.rows(), k.cols(), rows));
  return k;
}

}  // namespace

template <class Scalar>
double prediction_noise(double mean_diagonal, const Matrix<Scalar>& alpha, const MatrixView<Scalar>& y) {
  const double scale = y.template cast<double>().norm() / std::sqrt(static_cast<double>(y.rows()));
  const double noise = epsilon<Scalar>() * std::abs(mean_diagonal) * alpha.template cast<double>().norm();
  return scale > 0 ? noise / scale : 0;
}

template <class Scalar>
DirectSolver<Scalar>::DirectSolver(Matrix<Scalar> k, const MatrixView<Scalar>& y, const SolverOptions& options)
    : system_(square(std::move(k), y.rows())), y_(y), options_(options) {
  validate(options);
  require_finite_targets<Scalar>(y);
}

template <class Scalar>
std::vector<double> DirectSolver<Scalar>::relative_jitters() {
  if (sizeof(Scalar) == 4) return {1e-7, 1e-6, 1e-5, 1e-4};
  return {1e-14, 1e-12, 1e-10, 1e-8};
}

template <class Scalar>
double DirectSolver<Scalar>::mean_diagonal() const {
  return std::max(system_.mean_diagonal(), std::numeric_limits<double>::min());
}

template <class Scalar>
bool DirectSolver<Scalar>::factor(const Rung& rung) {
  const double shift = options_.ridge + rung.jitter;
  if (rung.method == Method::cholesky) return system_.factor_cholesky(shift);
  return rung.method == Method::ldlt ? system_.factor_ldlt(shift) : system_.factor_eigen(shift);
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
  Candidate<Scalar> found = solve_and_refine<Scalar>(system_, y_, options_.ridge);
  if (!(found.relative_residual <= 1)) {
    result.problem = fmt::format("its relative residual is {:.3g}", found.relative_residual);
    return result;
  }
  if (!rung.last_resort && prediction_noise<Scalar>(system_.mean_diagonal(), found.alpha, y_) > kFaithful) {
    result.problem = "its coefficients are so large that rounding swamps the predictions";
    return result;
  }
  const double n = static_cast<double>(y_.rows()), c = static_cast<double>(y_.cols());
  Solution<Scalar>& solution = result.solution.emplace();
  solution.summary.method = describe(rung);
  solution.summary.jitter = rung.jitter;
  solution.summary.refinements = found.refinements;
  solution.summary.relative_residual = found.relative_residual;
  solution.summary.flops = n * n * n / 3 + 2 * n * n * c * (1 + found.refinements);
  solution.fitted = y_ - found.residual - static_cast<Scalar>(options_.ridge) * found.alpha;
  solution.alpha = std::move(found.alpha);
  solution.summary.seconds = start.seconds();
  return result;
}

template <class Scalar>
Matrix<Scalar> DirectSolver<Scalar>::coefficients_of(const Matrix<Scalar>& fitted, double jitter) {
  if (!system_.factor_cholesky(jitter)) return {};
  return solve_and_refine<Scalar>(system_, fitted, 0).alpha;
}

template <class Scalar>
Solution<Scalar> DirectSolver<Scalar>::ladder() {
  const Stopwatch start;
  std::vector<Rung> rungs = {{Method::cholesky, 0, false}};
  for (const double share : relative_jitters()) rungs.push_back({Method::cholesky, share * mean_diagonal(), false});
  rungs.back().last_resort = true;
  rungs.push_back({Method::ldlt, 0, true});
  rungs.push_back({Method::eigen, 0, true});
  const double n = static_cast<double>(y_.rows());
  double flops = 0;
  std::string note;
  for (const Rung& rung : rungs) {
    Attempt<Scalar> result = attempt(rung);
    if (result.solution) {
      result.solution->summary.flops += flops;
      result.solution->summary.note = note;
      result.solution->summary.seconds = start.seconds();
      return std::move(*result.solution);
    }
    flops += n * n * n / 3;
    const std::string what = describe(rung);
    spdlog::warn("kernel system of {} rows, ridge {:g}: {} will not do ({}); trying the next remedy", y_.rows(),
                 options_.ridge, what, result.problem);
    if (note.empty()) note = what + ": " + result.problem;
  }
  throw NumericalError(fmt::format(
      "the kernel system of {} rows with ridge {:g} has no finite solution by any method; use a larger ridge",
      y_.rows(), options_.ridge));
}

template <class Scalar>
Solution<Scalar> solve_formed(Matrix<Scalar> k, const MatrixView<Scalar>& y, const SolverOptions& options) {
  return DirectSolver<Scalar>(std::move(k), y, options).ladder();
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                         \
  template class DirectSolver<Scalar>;                                                                     \
  template Solution<Scalar> solve_formed(Matrix<Scalar>, const MatrixView<Scalar>&, const SolverOptions&); \
  template double prediction_noise(double, const Matrix<Scalar>&, const MatrixView<Scalar>&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz::rfm
