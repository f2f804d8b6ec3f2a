#include "rfm/solvers/iterative/nystrom_preconditioner.h"

#include <Eigen/Cholesky>

#include "core/base/error.h"
#include "rfm/solvers/iterative/pivoted_cholesky.h"

namespace ansatz::rfm {
namespace {

constexpr Index kFactorRows = 1024;  // of B at once in double

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
  PartialCholesky<Scalar> nystrom = randomly_pivoted_cholesky(k, rank, stream);
  b_ = std::move(nystrom.factor);
  const Vector<Scalar> diagonal = k.diagonal();
  const double epsilon = static_cast<double>(Eigen::NumTraits<Scalar>::epsilon());
  const double mean = diagonal.template cast<double>().mean();
  shift_ = std::max(ridge + nystrom.left.mean(), 8 * epsilon * mean);
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
