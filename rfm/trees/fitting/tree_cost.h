// Estimates, before fitting, of what a tree of RFMs will cost.
#pragma once

#include "core/base/cost.h"
#include "rfm/cost.h"
#include "rfm/trees/tree_options.h"

namespace ansatz::rfm {

/// Leaves, and rows of the largest, if every split halves its rows.
struct TreeSize {
  Index leaves = 1, leaf_rows = 0;
};
TreeSize tree_size(Index rows, Index leaf_size);

/// One leaf of so many rows, the training rows that it holds as Scalars included; working_bytes has all bytes.
Cost leaf_cost(const RfmOptions& options, const SystemSize& size, std::size_t scalar_bytes, double free_bytes);

/// A tree over size.points rows: the RFMs of all splits and leaves. working_bytes: of the leaves that `threads` threads
/// fit at once, as far as free_bytes have room for them; kept_bytes: of the coefficients and feature matrices; the
/// rows, which leaves share, are not in it.
Cost tree_cost(const RfmTreeOptions& options, const SystemSize& size, std::size_t scalar_bytes, double free_bytes,
               int threads);

}  // namespace ansatz::rfm
