#include "rfm/random_features/random_feature_fit.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/linalg/flops.h"
#include "core/linalg/lapack.h"
#include "core/linalg/linalg.h"
#include "core/machine/interrupt.h"
#include "rfm/solvers/solution.h"

namespace ansatz::rfm {
namespace {

/// body(begin, phi(rows of x from begin)), tile by tile.
template <class Scalar>
void over_tiles(const RandomFeatures<Scalar>& features, const MatrixView<Scalar>& x,
                const std::function<void(Index, const Matrix<double>&)>& body) {
  const Index tile = feature_tile_rows(features.count());
  for (Index begin = 0; begin < x.rows(); begin += tile) {
    throw_if_interrupted();
    const Index rows = std::min(tile, x.rows() - begin);
    body(begin, features.map(x.middleRows(begin, rows)).template cast<double>());
  }
}

/// (g + ridge I)^-1 b for a semi-definite g (both triangles, n x n).
Matrix<double> solve_semidefinite(Matrix<double> g, const Matrix<double>& b, double ridge, SolveSummary& summary) {
  const Index n = g.rows();
  const double size = static_cast<double>(n);
  g.diagonal().array() += ridge;
  const Vector<double> diagonal = g.diagonal();
  const double least = size * std::numeric_limits<double>::epsilon() * diagonal.maxCoeff();
  summary.flops += size * size * size / 3 + 2 * size * size * static_cast<double>(b.cols());
  if (potrf(n, g.data()) == 0 && g.diagonal().cwiseAbs2().minCoeff() > least) {
    const Matrix<double> half = g.triangularView<Eigen::Upper>().transpose().solve(b);
    return g.triangularView<Eigen::Upper>().solve(half);
  }
  g.diagonal() = diagonal;  // the factor lies in the upper triangle; the decomposition reads the lower one
  const EigenPairs<double> pairs = symmetric_eigenpairs<double>(g);
  const double zero = size * std::numeric_limits<double>::epsilon() * pairs.values[0];
  const Vector<double> inverse = (pairs.values.array() > zero).select(pairs.values.array().inverse(), 0);
  summary.flops += eigenpairs_flops(size);
  summary.method += ", eigen";
  summary.note = fmt::format("the system of {} rows is singular to rounding: solved without {} of its directions", n,
                             (inverse.array() == 0).count());
  return pairs.vectors.transpose() * (inverse.asDiagonal() * (pairs.vectors * b));
}

template <class Scalar>
Matrix<double> primal(const RandomFeatures<Scalar>& features, const MatrixView<Scalar>& x, const Matrix<double>& y,
                      double ridge, SolveSummary& summary) {
  const Index d = features.count();
  Matrix<double> g = Matrix<double>::Zero(d, d), b = Matrix<double>::Zero(d, y.cols());
  over_tiles<Scalar>(features, x, [&](Index begin, const Matrix<double>& phi) {
    g.selfadjointView<Eigen::Upper>().rankUpdate(phi.transpose());
    b.noalias() += phi.transpose() * y.middleRows(begin, phi.rows());
  });
  mirror_upper(g);
  summary.flops += static_cast<double>(x.rows()) * static_cast<double>(d) * static_cast<double>(d);
  return solve_semidefinite(std::move(g), b, ridge, summary);
}

template <class Scalar>
Matrix<double> dual(const RandomFeatures<Scalar>& features, const MatrixView<Scalar>& x, const Matrix<double>& y,
                    double ridge, SolveSummary& summary) {
  Matrix<double> phi(x.rows(), features.count());
  over_tiles<Scalar>(features, x,
                     [&](Index begin, const Matrix<double>& some) { phi.middleRows(begin, some.rows()) = some; });
  summary.flops += static_cast<double>(x.rows()) * static_cast<double>(x.rows()) * static_cast<double>(phi.cols());
  return phi.transpose() * solve_semidefinite(row_gram<double>(phi), y, ridge, summary);
}

/// phi(X) w, and |phi(X)^T (Y - phi(X) w) - ridge w| / |phi(X)^T Y|.
template <class Scalar>
Matrix<double> fitted_values(const RandomFeatures<Scalar>& features, const MatrixView<Scalar>& x,
                             const Matrix<double>& y, double ridge, const Matrix<double>& w, SolveSummary& summary) {
  Matrix<double> fitted(y.rows(), y.cols()), residual = -ridge * w, right = Matrix<double>::Zero(w.rows(), w.cols());
  over_tiles<Scalar>(features, x, [&](Index begin, const Matrix<double>& phi) {
    const auto targets = y.middleRows(begin, phi.rows());
    fitted.middleRows(begin, phi.rows()).noalias() = phi * w;
    residual.noalias() += phi.transpose() * (targets - fitted.middleRows(begin, phi.rows()));
    right.noalias() += phi.transpose() * targets;
  });
  summary.relative_residual = right.norm() > 0 ? residual.norm() / right.norm() : residual.norm();
  return fitted;
}

}  // namespace

template <class Scalar>
RandomFeatureFit<Scalar> fit_random_features(std::shared_ptr<const RandomFeatures<Scalar>> features,
                                             const MatrixView<Scalar>& x, const MatrixView<Scalar>& y, double ridge) {
  SolverOptions options;
  options.ridge = ridge;
  validate(options);
  if (x.rows() != y.rows())
    throw DataError(fmt::format("random features: {} rows of inputs, but {} of targets", x.rows(), y.rows()));
  require_finite_targets<Scalar>(y);
  const Stopwatch start;
  const Matrix<double> targets = y.template cast<double>();
  const bool by_features = features->count() < x.rows();
  SolveSummary summary;
  summary.method = by_features ? "random features, primal" : "random features, dual";
  const Matrix<double> w = by_features ? primal<Scalar>(*features, x, targets, ridge, summary)
                                       : dual<Scalar>(*features, x, targets, ridge, summary);
  const Matrix<double> fitted = fitted_values<Scalar>(*features, x, targets, ridge, w, summary);
  summary.seconds = start.seconds();
  if (!(summary.relative_residual <= kExcusable))
    throw NumericalError(
        fmt::format("random features: the system of {} features and {} rows with ridge {:g} is not solved (relative "
                    "residual {:.2g}); use a larger ridge",
                    features->count(), x.rows(), ridge, summary.relative_residual));
  if (!summary.note.empty()) spdlog::warn("random features, ridge {:g}: {}", ridge, summary.note);
  return {RandomFeatureMachine<Scalar>(std::move(features), w.template cast<Scalar>()), std::move(summary),
          fitted.template cast<Scalar>()};
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                     \
  template RandomFeatureFit<Scalar> fit_random_features(std::shared_ptr<const RandomFeatures<Scalar>>, \
                                                        const MatrixView<Scalar>&, const MatrixView<Scalar>&, double);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz::rfm
