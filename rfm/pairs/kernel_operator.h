// K(X, X; M) as iterative solvers use it: through products with a few vectors, and some of its columns.
#pragma once

#include <utility>
#include <vector>

#include "rfm/pairs/pair_matrices.h"

namespace ansatz::rfm {

/// K is either stored (n^2 numbers), or recomputed tile by tile at every product (about n^2 (q + 15) flops, no n x n
/// array). Borrows the kernel and the points.
template <class Scalar>
class KernelOperator {
 public:
  enum class Storage { stored, recomputed };

  KernelOperator(const Kernel& kernel, const PreparedPoints<Scalar>& points, Storage storage);
  /// Stored, from the K (n x n) that another operator on the same points has released.
  KernelOperator(const Kernel& kernel, const PreparedPoints<Scalar>& points, Matrix<Scalar> k)
      : kernel_(kernel), points_(points), k_(std::move(k)) {}

  Index size() const { return points_.size(); }
  bool stored() const { return k_.size() > 0; }

  /// K v for v (n x c) with small c. Sums over more than 2048 terms are taken in double.
  Matrix<double> multiply(const Matrix<Scalar>& v) const;
  /// K v with every product and sum in double: what a residual needs.
  Matrix<double> multiply_in_double(const Matrix<double>& v) const;
  /// K(:, chosen), n x s.
  Matrix<Scalar> columns(const std::vector<Index>& chosen) const;
  /// K(chosen, chosen), s x s.
  Matrix<Scalar> between(const std::vector<Index>& chosen) const;
  /// K(rows, columns), one row for each of `rows`.
  Matrix<Scalar> between(const std::vector<Index>& rows, const std::vector<Index>& columns) const;
  /// K(chosen, :), s x n.
  Matrix<Scalar> rows(const std::vector<Index>& chosen) const;
  /// The diagonal of K, n.
  Vector<Scalar> diagonal() const;
  /// Hands over K, which must be stored; this operator recomputes it from then on.
  Matrix<Scalar> release() { return std::move(k_); }

 private:
  const Kernel& kernel_;
  const PreparedPoints<Scalar>& points_;
  Matrix<Scalar> k_;
};

}  // namespace ansatz::rfm
