// What the benchmarks measure with: clock, peak memory, the plain product's rate, and problems to solve.
#pragma once

#include <memory>

#include "core/base/matrix.h"

namespace ansatz::bench {

double now();          ///< seconds
double cpu_seconds();  ///< of all threads of the process so far

/// Peak resident megabytes of the process since the last call of reset_peak().
double peak_megabytes();
void reset_peak();

/// Flops a second of the product m x k by k x n, the best of twenty.
template <class Scalar>
double product_rate(Index m, Index k, Index n);
/// Of float32 matrices of 2048 x 2048.
double product_rate();

/// Inputs of unit length (n x d; 1000 more to test) and targets (n x c) that depend on a few directions.
struct Problem {
  std::shared_ptr<Matrix<float>> x;
  Matrix<float> y, test;
};
Problem make_problem(Index n, Index d, Index c);

}  // namespace ansatz::bench
