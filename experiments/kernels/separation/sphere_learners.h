// What learns a target on a sphere: fixed features, fixed kernels, a network, and a kernel that adapts.
#pragma once

#include "core/base/random.h"
#include "core/data/dataset.h"

namespace ansatz::experiments {

/// Inputs are on the sphere of radius sqrt(d).
struct SphereLearnersOptions {
  double bandwidth = 1;  ///< of the Laplace kernels, times sqrt(d)
  double ridge = 1e-3;   ///< times K(x, x), which is the same at all inputs
  Index rfm_iterations = 5;
  Index epochs = 300;            ///< of the network of one hidden ReLU layer without biases
  double learning_rate = 0.001;  ///< of Adam, on batches of 32
};

// 1 - R^2 on test of each, fitted to the training rows. Without validation rows: the last iteration or epoch counts.

/// Ridge regression on that many hidden ReLU units of random weights.
double random_relu_error(const SphereLearnersOptions& o, const Split<double>& split, Index features,
                         const RandomStream& stream);
double ntk_error(const SphereLearnersOptions& o, const Split<double>& split);  ///< of one hidden layer
double laplace_error(const SphereLearnersOptions& o, const Split<double>& split);
double network_error(const SphereLearnersOptions& o, const Split<double>& split, Index width,
                     const RandomStream& stream);
/// Of the Laplace kernel, M scaled to trace d.
double rfm_error(const SphereLearnersOptions& o, const Split<double>& split, const RandomStream& stream);

}  // namespace ansatz::experiments
