#include "rfm/direct_solve.h"

#include <spdlog/spdlog.h>

#include <cmath>
#include <functional>
#include <limits>

#include "core/error.h"
#include "core/stopwatch.h"
#include "rfm/symmetric_system.h"

namespace ansatz::rfm {
namespace {

constexpr int kRefinements = 3;
constexpr double kPredictionNoise = 0.1;  // of the targets' size: what rounding may do to predictions

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
  const double rounding = 2 * static_cast<double>(std::numeric_limits<Scalar>::epsilon());
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

/// Root mean square of the rounding of a prediction, a sum of terms of size k_ii alpha_j, relative to that of the
/// targets.
template <class Scalar>
double prediction_noise(const SymmetricSystem<Scalar>& system, const Matrix<Scalar>& alpha,
                        const MatrixView<Scalar>& y) {
  const double scale = y.template cast<double>().norm() / std::sqrt(static_cast<double>(y.rows()));
  const double noise = static_cast<double>(std::numeric_limits<Scalar>::epsilon()) * std::abs(system.mean_diagonal()) *
                       alpha.template cast<double>().norm();
  return scale > 0 ? noise / scale : 0;
}

/// One way to solve. Of the last ones, large coefficients are taken: nothing better is left.
struct Rung {
  std::string method;
  double jitter;
  bool last_resort;
  std::function<bool(double shift)> factor;
};

template <class Scalar>
std::vector<Rung> ladder(SymmetricSystem<Scalar>& system) {
  constexpr bool single = sizeof(Scalar) == 4;
  const double smallest = single ? 1e-7 : 1e-14, step = single ? 10 : 100;
  const auto cholesky = [&system](double shift) { return system.factor_cholesky(shift); };
  std::vector<Rung> rungs = {{"cholesky", 0, false, cholesky}};
  const double scale = std::max(system.mean_diagonal(), std::numeric_limits<double>::min());
  for (int i = 0; i < 4; ++i) {
    const double jitter = smallest * std::pow(step, i) * scale;
    rungs.push_back({fmt::format("cholesky with jitter {:.3g}", jitter), jitter, i == 3, cholesky});
  }
  rungs.push_back({"ldlt", 0, true, [&system](double shift) { return system.factor_ldlt(shift); }});
  rungs.push_back({"eigen", 0, true, [&system](double shift) { return system.factor_eigen(shift); }});
  return rungs;
}

}  // namespace

template <class Scalar>
Solution<Scalar> solve_formed(Matrix<Scalar> k, const MatrixView<Scalar>& y, const SolverOptions& options) {
  validate(options);
  if (k.rows() != k.cols() || k.rows() != y.rows())
    throw DataError(
        fmt::format("solve: a {} x {} kernel matrix and {} rows of targets do not fit", k.rows(), k.cols(), y.rows()));
  if (!y.allFinite())
    throw NumericalError("solve: the targets hold values that are not finite; look for missing values");
  const Stopwatch start;
  SymmetricSystem<Scalar> system(std::move(k));
  const double n = static_cast<double>(y.rows()), c = static_cast<double>(y.cols());
  Solution<Scalar> solution;
  SolveSummary& summary = solution.summary;
  for (const Rung& rung : ladder(system)) {
    std::string problem = "the factorisation failed";
    summary.flops += n * n * n / 3;
    if (rung.factor(options.ridge + rung.jitter)) {
      Candidate<Scalar> found = solve_and_refine<Scalar>(system, y, options.ridge);
      summary.flops += 2 * n * n * c * (1 + found.refinements);
      const bool useful = found.relative_residual <= 1;
      const bool large = useful && prediction_noise<Scalar>(system, found.alpha, y) > kPredictionNoise;
      if (useful && (!large || rung.last_resort)) {
        summary.method = rung.method;
        summary.jitter = rung.jitter;
        summary.refinements = found.refinements;
        summary.relative_residual = found.relative_residual;
        solution.fitted = y - found.residual - static_cast<Scalar>(options.ridge) * found.alpha;
        solution.alpha = std::move(found.alpha);
        summary.seconds = start.seconds();
        return solution;
      }
      problem = large ? "its coefficients are so large that rounding swamps the predictions"
                      : fmt::format("its relative residual is {:.3g}", found.relative_residual);
    }
    spdlog::warn("kernel system of {} rows, ridge {:g}: {} will not do ({}); trying the next remedy", y.rows(),
                 options.ridge, rung.method, problem);
    if (summary.note.empty()) summary.note = rung.method + ": " + problem;
  }
  throw NumericalError(fmt::format(
      "the kernel system of {} rows with ridge {:g} has no finite solution by any method; use a larger ridge", y.rows(),
      options.ridge));
}

template Solution<float> solve_formed(Matrix<float>, const MatrixView<float>&, const SolverOptions&);
template Solution<double> solve_formed(Matrix<double>, const MatrixView<double>&, const SolverOptions&);

}  // namespace ansatz::rfm
