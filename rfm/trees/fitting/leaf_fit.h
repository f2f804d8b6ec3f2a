// Fitting the RFM of one leaf.
#pragma once

#include "rfm/trees/fitting/fit_rfm_tree.h"

namespace ansatz::rfm {

/// The rows of one leaf.
struct LeafRows {
  std::vector<Index> train, held_out;  ///< of the training rows
  std::vector<Index> validation;       ///< of the validation rows
};

/// Moves rows from train to held_out (drawn, at most a fifth) until these and the validation rows are `wanted`.
void hold_out(LeafRows& rows, Index wanted, const RandomStream& stream);

template <class Scalar>
struct LeafFit {
  TreeLeaf<Scalar> leaf;
  LeafRecord record;
};

template <class Scalar>
LeafFit<Scalar> fit_leaf(const StoredSplit<Scalar>& split, LeafRows rows, RfmOptions options,
                         const RandomStream& stream);

}  // namespace ansatz::rfm
