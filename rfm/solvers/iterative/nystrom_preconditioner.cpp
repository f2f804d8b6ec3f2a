#include "rfm/solvers/iterative/nystrom_preconditioner.h"

#include <Eigen/Cholesky>

#include "core/base/error.h"
#include "core/machine/parallel.h"

namespace ansatz::rfm {
namespace {

constexpr Index kFactorRows = 1024;  // of B at once in double

/// R with R^T R = W plus a small multiple of I, where W = K(S,S). W is numerically singular as soon as two of the
/// points in S are close.
template <class Scalar>
Matrix<Scalar> root_of(const Matrix<Scalar>& w) {
  Eigen::MatrixXd a = w.template cast<double>();
  if (a.isZero(0)) return Matrix<Scalar>::Identity(w.rows(), w.cols());
  const double epsilon = static_cast<double>(Eigen::NumTraits<Scalar>::epsilon());
  for (double share = 8 * epsilon; share < 1; share *= 100) {
    Eigen::MatrixXd shifted = a;
    shifted.diagonal().array() += share * a.trace();
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(shifted);
    if (factor.info() == Eigen::Success) return Matrix<double>(factor.matrixU()).template cast<Scalar>();
  }
  throw NumericalError("kernel: the matrix between the preconditioner's points is not positive semi-definite");
}

/// B^T B in double, from rows of B that are converted a thousand at a time.
template <class Scalar>
Eigen::MatrixXd gram_in_double(const Matrix<Scalar>& b) {
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(b.cols(), b.cols());
  for (Index begin = 0; begin < b.rows(); begin += kFactorRows) {
    const Eigen::MatrixXd rows = b.middleRows(begin, std::min(kFactorRows, b.rows() - begin)).template cast<double>();
    gram.selfadjointView<Eigen::Lower>().rankUpdate(rows.transpose());
  }
  return gram;
}

}  // namespace

template <class Scalar>
NystromPreconditioner<Scalar>::NystromPreconditioner(const KernelOperator<Scalar>& k, double ridge, Index rank,
                                                     const RandomStream& stream) {
  const std::vector<Index> chosen = RandomStream(stream).sample(k.size(), std::min(rank, k.size()));
  b_ = k.columns(chosen);
  Matrix<Scalar> w(b_.cols(), b_.cols());
  for (Index i = 0; i < w.rows(); ++i) w.row(i) = b_.row(chosen[static_cast<std::size_t>(i)]);
  const Matrix<Scalar> root = root_of(w);
  root.template triangularView<Eigen::Upper>().template solveInPlace<Eigen::OnTheRight>(b_);

  const Vector<Scalar> diagonal = k.diagonal();
  double left = 0;
  for (Index i = 0; i < k.size(); ++i)
    left += std::max(0.0, static_cast<double>(diagonal[i]) - b_.row(i).template cast<double>().squaredNorm());
  const double epsilon = static_cast<double>(Eigen::NumTraits<Scalar>::epsilon());
  const double mean = diagonal.template cast<double>().mean();
  shift_ = std::max(ridge + left / static_cast<double>(k.size()), 8 * epsilon * mean);
  if (shift_ == 0) shift_ = 1;  // K = 0

  Eigen::MatrixXd inner = gram_in_double(b_);
  inner.diagonal().array() += shift_;
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>, Eigen::Lower> factor(inner);
  if (factor.info() != Eigen::Success) throw NumericalError("kernel: the preconditioner cannot be factored");
  inner_ = factor.matrixL();
}

template <class Scalar>
Matrix<double> NystromPreconditioner<Scalar>::apply(const Matrix<double>& r) const {
  const Matrix<Scalar> rounded = r.template cast<Scalar>();
  Eigen::MatrixXd inside = (b_.transpose() * rounded).eval().template cast<double>();
  const auto lower = inner_.template triangularView<Eigen::Lower>();
  lower.solveInPlace(inside);
  lower.transpose().solveInPlace(inside);
  const Matrix<Scalar> weights = inside.template cast<Scalar>();
  const Matrix<Scalar> outside = b_ * weights;
  return (r - outside.template cast<double>()) / shift_;
}

template class NystromPreconditioner<float>;
template class NystromPreconditioner<double>;

}  // namespace ansatz::rfm
