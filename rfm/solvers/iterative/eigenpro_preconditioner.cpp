#include "rfm/solvers/iterative/eigenpro_preconditioner.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "core/features/feature_matrix.h"
#include "core/linalg/linalg.h"

namespace ansatz::rfm {
namespace {

constexpr double kDamping = 0.95;      // the exponent in p_i; 1 would bring the leading eigenvalues down to sigma_{q+1}
constexpr Index kDiagonalRows = 1024;  // rows of K(X,S) that are held at once
constexpr double kLeast = std::numeric_limits<double>::min();

}  // namespace

template <class Scalar>
EigenProPreconditioner<Scalar>::EigenProPreconditioner(const KernelOperator<Scalar>& k, double ridge, Index subsample,
                                                       Index directions, const RandomStream& stream) {
  const Index n = k.size(), s = std::min(n, subsample);
  rows_ = stream.named("subsample").sample(n, s);
  find_directions(k, ridge, std::min(s - 1, directions));
  const Vector<Scalar> diagonal = k.diagonal();
  const double rounding = static_cast<double>(Eigen::NumTraits<Scalar>::epsilon() * diagonal.maxCoeff());
  const double least = std::max(rounding, kLeast);
  beta_ = std::max(largest_diagonal(k, diagonal), least) + ridge;
  const double largest = largest_eigenvalue(k, stream.named("spectrum").sample(n, s));
  lambda_ = std::max(largest, least) / static_cast<double>(s) + ridge / static_cast<double>(n);
}

/// E and D. An eigenvalue at the rounding of the largest is none to divide by: sigma_{q+1} counts as at least that.
template <class Scalar>
void EigenProPreconditioner<Scalar>::find_directions(const KernelOperator<Scalar>& k, double ridge, Index directions) {
  const EigenPairs<Scalar> pairs = FeatureMatrix<Scalar>::dense(k.between(rows_)).top_eigenpairs(directions + 1);
  const double rounding = static_cast<double>(Eigen::NumTraits<Scalar>::epsilon() * pairs.values[0]);
  const double last = std::max({static_cast<double>(pairs.values[directions]), rounding, kLeast});
  const double rho = ridge * static_cast<double>(rows_.size()) / static_cast<double>(k.size());
  vectors_ = pairs.vectors.topRows(directions);
  weights_.resize(directions);
  for (Index i = 0; i < directions; ++i) {
    const double sigma = static_cast<double>(pairs.values[i]);
    const double kept = std::pow((last + rho) / (sigma + rho), kDamping);
    weights_[i] = static_cast<Scalar>(sigma > last ? (1 - kept) / sigma : 0);
  }
}

/// W = K(rows,S) E^T D^1/2 (rows x q): W W^T is what the damping takes from K(rows,rows).
template <class Scalar>
Matrix<Scalar> EigenProPreconditioner<Scalar>::removed_root(const KernelOperator<Scalar>& k,
                                                            const std::vector<Index>& rows) const {
  const Matrix<Scalar> along = k.between(rows, rows_) * vectors_.transpose();
  return along * weights_.cwiseSqrt().asDiagonal();
}

/// Of K P, over all rows.
template <class Scalar>
double EigenProPreconditioner<Scalar>::largest_diagonal(const KernelOperator<Scalar>& k,
                                                        const Vector<Scalar>& diagonal) const {
  double largest = 0;
  for (Index begin = 0; begin < k.size(); begin += kDiagonalRows) {
    std::vector<Index> rows(static_cast<std::size_t>(std::min(kDiagonalRows, k.size() - begin)));
    std::iota(rows.begin(), rows.end(), begin);
    const Matrix<Scalar> root = removed_root(k, rows);
    const Vector<double> taken = root.template cast<double>().rowwise().squaredNorm();
    const auto full = diagonal.segment(begin, root.rows()).template cast<double>();
    largest = std::max(largest, (full - taken).maxCoeff());
  }
  return largest;
}

/// Of K P, between these rows.
template <class Scalar>
double EigenProPreconditioner<Scalar>::largest_eigenvalue(const KernelOperator<Scalar>& k,
                                                          const std::vector<Index>& rows) const {
  Matrix<Scalar> damped = k.between(rows);
  damped -= row_gram<Scalar>(removed_root(k, rows));
  return static_cast<double>(FeatureMatrix<Scalar>::dense(std::move(damped)).top_eigenpairs(1).values[0]);
}

template <class Scalar>
Matrix<Scalar> EigenProPreconditioner<Scalar>::correction(const Matrix<Scalar>& k_batch,
                                                          const Matrix<Scalar>& g) const {
  const Matrix<Scalar> between = k_batch(Eigen::all, rows_);
  const Matrix<Scalar> along = between.transpose() * g;
  const Matrix<Scalar> damped = weights_.asDiagonal() * (vectors_ * along);
  return vectors_.transpose() * damped;
}

template class EigenProPreconditioner<float>;
template class EigenProPreconditioner<double>;

}  // namespace ansatz::rfm
