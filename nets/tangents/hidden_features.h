// What a network's hidden layers compute, and how far training moved it.
#pragma once

#include <vector>

#include "nets/mlp.h"

namespace ansatz::nets {

/// phi(z_layer) at the rows of x (b x k_layer); hidden layers count from 1. ConfigError on another layer.
template <class Scalar>
Matrix<Scalar> hidden_features(const Mlp<Scalar>& network, const MatrixView<Scalar>& x, Index layer);

/// Of one network before and after training; 1 where nothing moved. Cosines are <A, B> / (|A| |B|) over all entries.
struct FeatureChange {
  std::vector<double> hidden_cosine;  ///< of the features of each hidden layer, b x k
  /// Of their Gram matrices over the rows of x, centred: linear CKA (Kornblith et al. 2019), which no rotation of the
  /// features changes.
  std::vector<double> hidden_alignment;
  double weight_cosine = 1;  ///< of W_1^T W_1
  double moved = 0;          ///< |theta - theta_0| / |theta_0|, of the parameters that the optimiser steps on
};

/// At the rows of x (b x d). DataError if the architectures differ.
template <class Scalar>
FeatureChange feature_change(const Mlp<Scalar>& before, const Mlp<Scalar>& after, const MatrixView<Scalar>& x);

}  // namespace ansatz::nets
