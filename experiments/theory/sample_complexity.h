// Test error against the number of samples with and without the expected gradient outer product (Proposition 2).
#pragma once

#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/data/loading/load_dataset.h"
#include "experiments/theory/limit_curves.h"

namespace ansatz::experiments {

struct SampleComplexityOptions {
  LowRankOptions target;  ///< a polynomial of few directions
  Index degree = 2;       ///< of the polynomial kernel (<x, z>_M + 1)^degree
  double ridge = 1e-6;
  double bandwidth = 10;  ///< of the Laplace kernels
  Index rfm_iterations = 5;
  std::vector<Index> sizes = {50, 100, 200, 400, 800};
  Index test_size = 2000;
  Index repeats = 3;  ///< draws of the training set, whose errors are averaged
};

struct SampleComplexityModel {
  const char* name;   ///< of its finding
  const char* label;  ///< for people
};
inline constexpr SampleComplexityModel kSampleComplexityModels[] = {{"rfm", "RFM"},
                                                                    {"laplace_known", "Laplace, M known"},
                                                                    {"polynomial_known", "polynomial, M known"},
                                                                    {"laplace", "Laplace"},
                                                                    {"polynomial", "polynomial"}};

/// 1 - R^2 on test of one model at each size.
struct SampleComplexityCurve {
  SampleComplexityModel model;
  std::vector<MeanOfTrials> errors;  ///< over the repeats
};

/// Of each model, in their order. M known is the target's exact E[grad f grad f^T], scaled to trace d, as is the
/// identity.
std::vector<SampleComplexityCurve> sample_complexity(const SampleComplexityOptions& options,
                                                     const RandomStream& stream);

}  // namespace ansatz::experiments
