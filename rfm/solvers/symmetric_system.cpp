#include "rfm/solvers/symmetric_system.h"

#include <lapacke.h>

#include <algorithm>
#include <limits>

#include "core/linalg/lapack.h"
#include "core/machine/parallel.h"

namespace ansatz::rfm {
namespace {

constexpr Index kBlock = 256;  // of K in double at once: half a megabyte a thread
constexpr Index kMirrorTile = 64;

int sytrf(Index n, float* a, int* p) { return LAPACKE_ssytrf(LAPACK_COL_MAJOR, 'L', int(n), a, int(n), p); }
int sytrf(Index n, double* a, int* p) { return LAPACKE_dsytrf(LAPACK_COL_MAJOR, 'L', int(n), a, int(n), p); }
int potrs(Index n, Index c, const float* a, float* b) {
  return LAPACKE_spotrs_work(LAPACK_COL_MAJOR, 'L', int(n), int(c), a, int(n), b, int(n));
}
int potrs(Index n, Index c, const double* a, double* b) {
  return LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', int(n), int(c), a, int(n), b, int(n));
}
int sytrs(Index n, Index c, const float* a, const int* p, float* b) {
  return LAPACKE_ssytrs_work(LAPACK_COL_MAJOR, 'L', int(n), int(c), a, int(n), p, b, int(n));
}
int sytrs(Index n, Index c, const double* a, const int* p, double* b) {
  return LAPACKE_dsytrs_work(LAPACK_COL_MAJOR, 'L', int(n), int(c), a, int(n), p, b, int(n));
}

}  // namespace

template <class Scalar>
SymmetricSystem<Scalar>::SymmetricSystem(Matrix<Scalar> k) : k_(std::move(k)), diagonal_(k_.diagonal()) {}

template <class Scalar>
Eigen::MatrixXd SymmetricSystem<Scalar>::multiply(const Matrix<Scalar>& alpha) const {
  const Index n = size(), blocks = (n + kBlock - 1) / kBlock;
  const Eigen::MatrixXd a = alpha.template cast<double>();
  Eigen::MatrixXd result(n, alpha.cols());
  parallel_for(blocks, [&](Index block) {
    const Index begin = block * kBlock, rows = std::min(kBlock, n - begin);
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(rows, alpha.cols());
    Matrix<double> tile;
    for (Index other = 0; other < n; other += kBlock) {
      const Index columns = std::min(kBlock, n - other);
      if (other > begin) {  // kept as its transpose below the diagonal
        tile = k_.block(other, begin, columns, rows).template cast<double>();
        sum.noalias() += tile.transpose() * a.middleRows(other, columns);
        continue;
      }
      tile = k_.block(begin, other, rows, columns).template cast<double>();
      if (other == begin) {
        tile.template triangularView<Eigen::StrictlyUpper>() = tile.transpose();
        tile.diagonal() = diagonal_.segment(begin, rows).template cast<double>();
      }
      sum.noalias() += tile * a.middleRows(other, columns);
    }
    result.middleRows(begin, rows) = sum;
  });
  return result;
}

/// Writes the upper triangle and the diagonal of K + shift I + jitter diag(K) over what a factorisation left there.
template <class Scalar>
void SymmetricSystem<Scalar>::restore(double shift, double jitter) {
  const Index n = size();
  if (factor_ != Factor::none) {
    parallel_tiles(n, kMirrorTile, [&](Index begin, Index end) {
      for (Index i = begin + kMirrorTile; i < n; i += kMirrorTile) {
        const Index rows = std::min(kMirrorTile, n - i);
        k_.block(begin, i, end - begin, rows) = k_.block(i, begin, rows, end - begin).transpose();
      }
      for (Index i = begin; i < end; ++i)
        for (Index j = begin; j < i; ++j) k_(j, i) = k_(i, j);
    });
  }
  shifted_ = diagonal_.array() + static_cast<Scalar>(shift);
  if (jitter > 0) {
    const double mean = diagonal_.template cast<double>().mean();
    for (Index i = 0; i < n; ++i) {
      const double own = diagonal_[i] > 0 ? static_cast<double>(diagonal_[i]) : mean;
      shifted_[i] = diagonal_[i] + static_cast<Scalar>(shift + jitter * own);
    }
  }
  k_.diagonal() = shifted_;
}

template <class Scalar>
bool SymmetricSystem<Scalar>::factor_cholesky(double shift, double jitter) {
  restore(shift, jitter);
  factor_ = Factor::cholesky;
  return potrf(size(), k_.data()) == 0;
}

template <class Scalar>
double SymmetricSystem<Scalar>::least_pivot() const {
  double least = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < size(); ++i) {
    const double root = static_cast<double>(k_(i, i));
    least = std::min(least, root * root / static_cast<double>(shifted_[i]));
  }
  return least;
}

template <class Scalar>
bool SymmetricSystem<Scalar>::factor_ldlt(double shift) {
  restore(shift);
  factor_ = Factor::ldlt;
  pivots_.resize(static_cast<std::size_t>(size()));
  return sytrf(size(), k_.data(), pivots_.data()) == 0;
}

template <class Scalar>
bool SymmetricSystem<Scalar>::factor_eigen(double shift) {
  if (spectrum_.values.size() == 0) {
    restore(0);
    spectrum_ = symmetric_eigenpairs(k_);
  }
  factor_ = Factor::eigen;
  const Vector<Scalar> values = spectrum_.values.array() + static_cast<Scalar>(shift);
  const Scalar smallest =
      static_cast<Scalar>(size()) * std::numeric_limits<Scalar>::epsilon() * values.cwiseAbs().maxCoeff();
  inverted_ = values.unaryExpr([smallest](Scalar v) { return std::abs(v) > smallest ? 1 / v : Scalar(0); });
  return true;
}

template <class Scalar>
double SymmetricSystem<Scalar>::least_eigenvalue() const {
  if ((inverted_.array() == Scalar(0)).any()) return 0;
  const Vector<double> values = inverted_.template cast<double>().cwiseInverse().cwiseAbs();
  return values.minCoeff() / values.maxCoeff();
}

template <class Scalar>
Matrix<Scalar> SymmetricSystem<Scalar>::solve(const Matrix<Scalar>& b) const {
  if (factor_ == Factor::eigen) {
    const Matrix<Scalar> in_basis = inverted_.asDiagonal() * (spectrum_.vectors * b);
    return spectrum_.vectors.transpose() * in_basis;
  }
  Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor> columns = b;
  if (factor_ == Factor::cholesky)
    potrs(size(), b.cols(), k_.data(), columns.data());
  else
    sytrs(size(), b.cols(), k_.data(), pivots_.data(), columns.data());
  return columns;
}

template <class Scalar>
Matrix<Scalar> SymmetricSystem<Scalar>::release() {
  restore(0);
  return std::move(k_);
}

template class SymmetricSystem<float>;
template class SymmetricSystem<double>;

}  // namespace ansatz::rfm
