// Inner products with the training rows: all that an RFM needs of its inputs when d > n (docs/engine.md).
#pragma once

#include <memory>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz::rfm {

/// Inner products with the rows X (n x d), relative to an origin: common_origin(X) if `centered`, as for radial
/// kernels, else 0. Centred copies are made of a few thousand columns at a time. Products with sets that were announced
/// are computed once and kept.
template <class Scalar>
class SampleSpace {
 public:
  /// `announced`: the inputs (borrowed) of sets whose products will be needed again and again. X itself is always one.
  SampleSpace(std::shared_ptr<const Matrix<Scalar>> rows, bool centered,
              const std::vector<const Matrix<Scalar>*>& announced = {});

  const Matrix<Scalar>& rows() const { return *rows_; }
  const Vector<Scalar>& origin() const { return origin_; }  ///< d; empty: 0

  /// (x - origin)(X - origin)^T, b x n, for x b x d. Only one thread at a time may call this.
  Matrix<Scalar> products(const MatrixView<Scalar>& x) const;

 private:
  struct Announced {
    const Matrix<Scalar>* inputs;
    mutable Matrix<Scalar> products;  // computed on first use
  };
  Matrix<Scalar> compute(const MatrixView<Scalar>& x) const;
  Matrix<Scalar> compute_gram() const;

  std::shared_ptr<const Matrix<Scalar>> rows_;
  Vector<Scalar> origin_;
  std::vector<Announced> announced_;  // X first
};

}  // namespace ansatz::rfm
