// The paper's Algorithm 1 written plainly, as the baseline that speed is measured against.
#pragma once

#include "core/linalg.h"

namespace ansatz::bench {

struct TextbookSeconds {
  double fit = 0, agop = 0, predict = 0;
};

/// One Laplace machine and its gradient outer product with LibTorch tensors in float32, as the published code does it:
/// the full n x n matrix of M-distances (the product with M included), the kernel by elementwise passes, an LU solve,
/// all n x c x d terms alpha_jc x_j M at once, gradients of a batch of points, and their outer products summed.
class Textbook {
 public:
  /// On as many threads as everything else: core's threads(). (LibTorch's own default counts physical cores.)
  Textbook(double bandwidth, double ridge);

  /// alpha (n x c) for M = `metric` (d x d; empty: I, without the products with it).
  Matrix<float> fit(const Matrix<float>& x, const Matrix<float>& y, const Matrix<float>& metric);
  Matrix<float> predict(const Matrix<float>& x, const Matrix<float>& centers, const Matrix<float>& alpha,
                        const Matrix<float>& metric);
  /// d x d, over all n points.
  Matrix<float> agop(const Matrix<float>& x, const Matrix<float>& alpha, const Matrix<float>& metric);

  const TextbookSeconds& seconds() const { return seconds_; }

 private:
  double bandwidth_, ridge_;
  TextbookSeconds seconds_;
};

}  // namespace ansatz::bench
