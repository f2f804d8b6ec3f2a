// The options of a tree of RFMs.
#pragma once

#include <vector>

#include "rfm/rfm.h"
#include "rfm/trees/tree_routing.h"

namespace ansatz::rfm {

struct RfmTreeOptions {
  RfmOptions rfm;              ///< of every leaf
  Index leaf_size = 8000;      ///< the most rows of a leaf; a leaf's system takes leaf_size^2 numbers
  Index split_rows = 2000;     ///< rows drawn at a node, whose RFM finds the direction of its split
  Index split_iterations = 1;  ///< feature updates of that RFM, before the AGOP whose leading eigenvector is taken
  /// Temperatures tried on the validation rows; the best is kept (of equals the first). One: taken as it is. Without
  /// validation rows the first is taken.
  std::vector<double> temperatures = {0, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56};
  Index temperature_rows = 5000;  ///< of the validation rows, drawn by seed, at most
  RoutingOptions routing;         ///< its own temperature is the one chosen
  /// A leaf that fewer validation rows lead to holds rows of its own out, at most a fifth, to choose its iteration by.
  Index leaf_validation = 200;
};

/// ConfigError on an option out of range.
void validate(const RfmTreeOptions& options);

}  // namespace ansatz::rfm
