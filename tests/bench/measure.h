// What the benchmarks measure with: clock, peak memory, the plain product's rate, and problems to solve.
#pragma once

#include <memory>

#include "core/linalg.h"

namespace ansatz::bench {

double now();  ///< seconds

/// Peak resident megabytes of the process since the last call of reset_peak().
double peak_megabytes();
void reset_peak();

/// Flops a second of a float32 product of 2048 x 2048 matrices, the best of three.
double product_rate();

/// Inputs of unit length (n x d; 1000 more to test) and targets (n x c) that depend on a few directions.
struct Problem {
  std::shared_ptr<Matrix<float>> x;
  Matrix<float> y, test;
};
Problem make_problem(Index n, Index d, Index c);

}  // namespace ansatz::bench
