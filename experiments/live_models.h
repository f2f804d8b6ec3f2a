// The models of a comparison that has just been run, for experiments that ask them more.
#pragma once

#include <memory>
#include <optional>

#include "experiments/models.h"
#include "experiments/results/results.h"

namespace ansatz::experiments {

/// Keeps the split, the network and the reported machine; the feature matrices go.
template <class Scalar>
std::shared_ptr<const Models> live_models(std::shared_ptr<const Split<Scalar>> split,
                                          std::optional<NetworkResult<Scalar>> network,
                                          std::optional<RfmResult<Scalar>> rfm);

}  // namespace ansatz::experiments
