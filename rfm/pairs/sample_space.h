// Inner products with the training rows: all that an RFM needs of its inputs when d > n (docs/engine.md).
#pragma once

#include <memory>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz::rfm {

/// Of the rows X (n x d) less a common origin (`centered`: their mean, as for radial kernels; else 0). Centred copies
/// are made of a few thousand columns at a time. Products with whole sets that were announced are found once.
template <class Scalar>
class SampleSpace {
 public:
  /// `announced`: sets (their inputs, borrowed) that will be asked for again and again; X itself need not be among
  /// them.
  SampleSpace(std::shared_ptr<const Matrix<Scalar>> rows, bool centered,
              const std::vector<const Matrix<Scalar>*>& announced = {});

  const Matrix<Scalar>& rows() const { return *rows_; }
  const Vector<Scalar>& origin() const { return origin_; }  ///< d; empty: 0

  /// (x - origin)(X - origin)^T, b x n, for x b x d. Safe to call from one thread at a time.
  Matrix<Scalar> products(const MatrixView<Scalar>& x) const;

 private:
  struct Announced {
    const Matrix<Scalar>* inputs;
    mutable Matrix<Scalar> products;  // found on first use
  };
  Matrix<Scalar> compute(const MatrixView<Scalar>& x) const;
  Matrix<Scalar> compute_gram() const;

  std::shared_ptr<const Matrix<Scalar>> rows_;
  Vector<Scalar> origin_;
  std::vector<Announced> announced_;  // X first
};

}  // namespace ansatz::rfm
