// The Neural Feature Ansatz layer by layer.
#pragma once

#include "core/record/run_record.h"
#include "nets/mlp.h"

namespace ansatz::experiments {

/// The variants of the ansatz for the layers from `first` (counted from 1) to the last: WᵀW of each beside the AGOP of
/// the network as a function of that layer's input, over `points` (m x d, inputs of the network). If `initial` is
/// null, those that need the weights before training are left out.
template <class Scalar>
LayerVariants layer_variants(const nets::Mlp<Scalar>& network, const nets::Mlp<Scalar>* initial,
                             const Matrix<Scalar>& points, Index first = 1);

}  // namespace ansatz::experiments
