// Growing the splits of a tree: from all rows to leaves of few rows each.
#pragma once

#include <vector>

#include "core/base/random.h"
#include "core/data/rows/stored_dataset.h"
#include "rfm/trees/tree_options.h"
#include "rfm/trees/tree_routing.h"

namespace ansatz::rfm {

struct GrownTree {
  std::vector<TreeSplit> splits;              ///< the root first
  std::vector<std::vector<Index>> leaf_rows;  ///< ascending; every row is in one leaf
  std::vector<std::string> leaf_paths;        ///< "bab": above, then below, then above; "" of a tree of one leaf
};

/// Splits at the median of the leading direction until no leaf has more than leaf_size rows. Where that direction
/// leaves few rows on one side (many equal values), the next ones are tried. A node that none divides, its rows being
/// equal in all of them, stays a leaf and is warned of. Takes some log2(n / leaf_size) passes over the rows, nodes of a
/// level in parallel; the result does not depend on the number of threads. Draws from stream.named("split/<path>").
template <class Scalar>
GrownTree grow_tree(const StoredDataset<Scalar>& train, const RfmTreeOptions& options, const RandomStream& stream);

}  // namespace ansatz::rfm
