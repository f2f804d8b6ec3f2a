// A symmetric positive semi-definite operator on input space: what networks and kernel machines "look at".
#pragma once

#include <memory>
#include <string>

#include "core/linalg/linalg.h"

namespace ansatz {

/// For d above this, no d x d array is formed unless it is asked for explicitly (8192: 256 MB in float32).
inline constexpr Index kDenseLimit = 8192;

/// M (d x d) as an immutable value in one of three forms; copies share storage. Sums and inner products accumulate in
/// double.
template <class Scalar>
class FeatureMatrix {
 public:
  enum class Form { dense, diagonal, sandwich };

  FeatureMatrix() = default;               ///< the empty operator, d = 0
  static FeatureMatrix identity(Index d);  ///< diagonal form
  /// `m` must be square, finite, and symmetric to rounding (NumericalError); (m + m^T)/2 is kept.
  static FeatureMatrix dense(Matrix<Scalar> m);
  static FeatureMatrix diagonal_form(
      Vector<Scalar> m);                            ///< finite and >= 0 to rounding (NumericalError); clamped to >= 0
  static FeatureMatrix sandwich(Matrix<Scalar> f);  ///< M = F^T F, F r x d (a network's W^T W)
  static FeatureMatrix sandwich(std::shared_ptr<const Matrix<Scalar>> f);  ///< the same, F shared with its owner
  /// M = F^T C F, F r x d, C r x r symmetric positive semi-definite. F may be shared with its owner (a data matrix)
  /// instead of copied. NumericalError unless both are finite and C is symmetric to rounding; DataError if shapes
  /// differ.
  static FeatureMatrix sandwich(std::shared_ptr<const Matrix<Scalar>> f, Matrix<Scalar> c);

  Form form() const { return form_; }
  Index dimension() const { return d_; }
  bool empty() const { return d_ == 0; }

  // Parts. Each throws std::logic_error if the form has no such part.
  const Matrix<Scalar>& dense_part() const;     ///< d x d
  const Vector<Scalar>& diagonal_part() const;  ///< d
  const Matrix<Scalar>& factor() const;         ///< F, r x d
  std::shared_ptr<const Matrix<Scalar>> shared_factor() const;
  bool core_is_identity() const;       ///< C = I and not stored
  const Matrix<Scalar>& core() const;  ///< C, r x r (not when core_is_identity)

  Matrix<Scalar> apply(const MatrixView<Scalar>& v) const;  ///< rows of v (b x d) times M: b x d
  Vector<Scalar> diagonal() const;                          ///< d
  Vector<double> diagonal_in_double() const;                ///< d, accumulated in double and not rounded
  double trace() const;
  double sum() const;  ///< 1^T M 1
  double largest_diagonal() const;
  /// <A, B>_F = sum_ij A_ij B_ij. For sandwiches tr(C1 (F1 F2^T) C2 (F2 F1^T)) in tiles of rows, so d x d never
  /// appears, unless d <= kDenseLimit and the dense forms cost fewer flops (r > d). DataError if the dimensions differ.
  double inner_product(const FeatureMatrix& other) const;
  double diagonal_inner_product(const FeatureMatrix& other) const;  ///< sum_i A_ii B_ii

  /// The k largest eigenpairs (k is cut to d).
  /// - By LAPACK, exactly, if d is small, if k > d/4, if the form is diagonal, or if a sandwich has r < d and r <= 2048
  ///   (through its r x r Gram matrix).
  /// - Otherwise by Lanczos on the operator (Spectra), checked for missed copies of repeated eigenvalues.
  /// The vectors are always orthonormal: beyond the rank they are a fixed completion with eigenvalue 0. The same matrix
  /// gives the same vectors. NumericalError if Lanczos and every fallback fail.
  EigenPairs<Scalar> top_eigenpairs(Index k) const;

  /// All eigenpairs whose eigenvalue is above rounding, largest first. Those of a sandwich with r < d come from its r x
  /// r Gram matrix. Their vectors have length 1, but are orthogonal only to sqrt(epsilon) where eigenvalues are near
  /// rounding. This is enough for sums over the spectrum, and saves orthonormalising hundreds of vectors.
  EigenPairs<Scalar> range_eigenpairs() const;

  /// M as d x d. Throws MemoryError above `limit`, naming d, the bytes, and what to use instead.
  Matrix<Scalar> to_dense(Index limit = kDenseLimit) const;
  Matrix<Scalar> top_left_block(Index k) const;  ///< the first k rows and columns, k x k (k is cut to d)

  FeatureMatrix scaled(
      double factor) const;  ///< factor * M, same form; NumericalError unless factor is finite and >= 0
  /// M^p for p > 0, such as 0.5; eigenvalues below rounding count as 0. A sandwich with r < d stays a sandwich: with
  /// K = C^1/2 F F^T C^1/2 = U L U^T, M^p = F^T (C^1/2 U L^(p-1) U^T C^1/2) F. For r >= d the result is dense, which is
  /// no larger than F. If M is zero outside of diagonal blocks, so is M^p, exactly. Throws NumericalError if M has an
  /// eigenvalue that is negative beyond rounding.
  FeatureMatrix power(double p) const;

  std::string describe() const;  ///< "sandwich 1024 of 3072 x 3072", for logs

 private:
  Form form_ = Form::diagonal;
  Index d_ = 0;
  std::shared_ptr<const Matrix<Scalar>> matrix_;  ///< dense M or F
  std::shared_ptr<const Matrix<Scalar>> core_;    ///< C, null for the identity
  std::shared_ptr<const Vector<Scalar>> vector_;  ///< diagonal m
};

}  // namespace ansatz
