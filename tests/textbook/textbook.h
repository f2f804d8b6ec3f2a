// The paper's Algorithm 1 written plainly: what the library's numbers are tested and its speed is measured against.
#pragma once

#include "core/base/matrix.h"

namespace ansatz::textbook {

struct Seconds {
  double fit = 0, agop = 0, predict = 0;
};

/// One Laplace machine and its gradient outer product with LibTorch tensors, as the published code does it:
/// the full n x n matrix of M-distances (the product with M included), the kernel by elementwise passes, an LU solve,
/// all n x c x d terms alpha_jc x_j M at once, gradients of a batch of points, and their outer products summed.
template <class Scalar>
class Textbook {
 public:
  /// On as many threads as everything else: core's threads(). (LibTorch's own default counts physical cores.)
  Textbook(double bandwidth, double ridge);

  /// alpha (n x c) for M = `metric` (d x d; empty: I, without the products with it).
  Matrix<Scalar> fit(const Matrix<Scalar>& x, const Matrix<Scalar>& y, const Matrix<Scalar>& metric);
  Matrix<Scalar> predict(const Matrix<Scalar>& x, const Matrix<Scalar>& centers, const Matrix<Scalar>& alpha,
                         const Matrix<Scalar>& metric);
  /// d x d, over all n points.
  Matrix<Scalar> agop(const Matrix<Scalar>& x, const Matrix<Scalar>& alpha, const Matrix<Scalar>& metric);

  const Seconds& seconds() const { return seconds_; }

 private:
  double bandwidth_, ridge_;
  Seconds seconds_;
};

}  // namespace ansatz::textbook
