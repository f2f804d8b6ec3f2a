// Seeded matrices for tests, and how far two are apart.
#pragma once

#include <cstdint>
#include <limits>

#include "core/base/random.h"
#include "core/linalg/linalg.h"

namespace ansatz::testing {

template <class Scalar = double>
Matrix<Scalar> random_matrix(Index rows, Index cols, std::uint64_t seed = 1) {
  return RandomStream(seed).normal_matrix<Scalar>(rows, cols);
}

/// A A^T of a d x rank matrix A: positive semi-definite of that rank.
template <class Scalar = double>
Matrix<Scalar> random_psd(Index d, Index rank, std::uint64_t seed = 2) {
  const Matrix<Scalar> a = random_matrix<Scalar>(d, rank, seed);
  const Matrix<Scalar> m = a * a.transpose();
  return (m + m.transpose()) / Scalar(2);
}

/// d x d with Q Q^T = I.
Matrix<double> random_orthogonal(Index d, std::uint64_t seed = 3);

/// All eigenpairs of a symmetric matrix, descending, by Eigen's solver: independent of the LAPACK calls under test.
EigenPairs<double> reference_eigenpairs(const Matrix<double>& m);

/// Q diag(values) Q^T.
inline Matrix<double> with_spectrum(const Vector<double>& values, std::uint64_t seed = 4) {
  const Matrix<double> q = random_orthogonal(values.size(), seed);
  const Matrix<double> m = q * values.asDiagonal() * q.transpose();
  return (m + m.transpose()) / 2;
}

/// |a - b| / |b| in the Frobenius norm (|a - b| where b = 0); infinite for different shapes.
template <class A, class B>
double relative_error(const A& a, const B& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return std::numeric_limits<double>::infinity();
  const Eigen::MatrixXd x = a.template cast<double>(), y = b.template cast<double>();
  const double size = y.norm();
  return (x - y).norm() / (size > 0 ? size : 1);
}

}  // namespace ansatz::testing
