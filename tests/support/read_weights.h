// The weights alone of a network that is read.
#pragma once

#include <filesystem>
#include <vector>

#include "nets/checkpoints/checkpoint.h"

template <class Scalar>
std::vector<ansatz::Matrix<Scalar>> read_weights(const std::vector<std::filesystem::path>& files,
                                                 const ansatz::nets::KnownLayers& known = {}) {
  std::vector<ansatz::Matrix<Scalar>> weights;
  for (const auto& layer : ansatz::nets::read_checkpoint<Scalar>(files, known).layers) weights.push_back(layer.weight);
  return weights;
}
