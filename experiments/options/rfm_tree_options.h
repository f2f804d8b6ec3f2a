// The keys of a tree of RFMs.
#pragma once

#include "core/config/config.h"
#include "rfm/trees/tree_options.h"

namespace ansatz::experiments {

/// Those of an RFM, which is that of the leaves, and those of the tree.
rfm::RfmTreeOptions parse_rfm_tree(const Config& section);

}  // namespace ansatz::experiments
