// What the experiment `separation` compares, and its numbers.
#pragma once

#include <array>
#include <vector>

#include "experiments/kernels/separation/sphere_learners.h"
#include "experiments/kernels/separation/staircase.h"

namespace ansatz::experiments {

struct SeparationOptions {
  Index dimension = 20;
  std::vector<Index> sizes = {50, 100, 200, 400, 800};        ///< n
  std::vector<Index> features = {16, 32, 64, 128, 256, 512};  ///< N, and hidden units, at the largest n
  Index units = 256;                                          ///< N, and hidden units, at every n
  Index test_size = 2000;
  SphereLearnersOptions learners;
  Index trials = 3;
  StaircaseOptions staircase;
};

struct TargetRow {
  const char* label;
  Index degree;  ///< 0: the neuron
};
inline constexpr std::array<TargetRow, 4> kTargets = {
    {{"single neuron", 0}, {"degree 1", 1}, {"degree 2", 2}, {"degree 3", 3}}};

/// The two that have a number of units come first, so that they have the same colours in all figures.
inline constexpr std::array<const char*, 5> kLearners = {"random ReLU features", "network", "NTK", "Laplace kernel",
                                                         "RFM"};
inline constexpr std::size_t kRandom = 0, kNetwork = 1, kNtk = 2, kLaplace = 3, kRfm = 4;

/// Of one target: errors[learner][size][trial], and by_units[random features, network][number][trial].
struct TargetErrors {
  std::array<std::vector<std::vector<double>>, 5> errors;
  std::array<std::vector<std::vector<double>>, 2> by_units;
};

}  // namespace ansatz::experiments
