// Fitting a tree of RFMs.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/base/random.h"
#include "core/data/metrics.h"
#include "core/data/rows/stored_dataset.h"
#include "rfm/trees/rfm_tree.h"
#include "rfm/trees/tree_options.h"

namespace ansatz::rfm {

/// What a tree is fitted to. validation may be empty.
template <class Scalar>
struct StoredSplit {
  StoredDataset<Scalar> train, validation;
};

struct LeafRecord {
  Index leaf = 0, rows = 0;            ///< rows that its machine has as centres
  Index validation = 0, held_out = 0;  ///< rows that its iteration was chosen by; so many of them held out of its own
  Index iteration = 0;                 ///< reported
  Metrics train;
  std::optional<Metrics> chosen_by;  ///< on those validation rows
  SolveSummary solve;
  double seconds = 0;
};

/// The iteration that most rows' leaves report.
Index usual_iteration(const std::vector<LeafRecord>& leaves);

/// One temperature that was tried.
struct TemperatureRecord {
  double temperature = 0;
  Metrics validation;
};

template <class Scalar>
struct RfmTreeFit {
  RfmTree<Scalar> tree;
  std::vector<LeafRecord> leaves;
  std::vector<TemperatureRecord> temperatures;  ///< empty if there was nothing to choose (by)
  double split_seconds = 0, leaf_seconds = 0, temperature_seconds = 0;
};

/// Called after each leaf, one call at a time, in the order in which they are done.
using LeafCallback = std::function<void(const LeafRecord& leaf, Index done, Index leaves)>;

/// Splits the rows (see grow_tree), fits an RFM to each leaf, leaves in parallel as far as memory has room, then
/// chooses the temperature. Validation rows choose each leaf's iteration (those that lead to it), and the temperature.
/// If all rows fit one leaf, its machine is that of fit_rfm() on the same rows and stream, bit by bit. Otherwise the
/// numbers do not depend on the number of threads. Inputs become Scalars leaf by leaf, or some hundred rows at a time.
/// Throws as fit_rfm(), and ConfigError on a tree's option out of range, DataError on fewer than 2 rows. Random streams
/// used: "split/<path>", "leaf/<path>" (a tree of one leaf: `stream` itself), "held_out/<path>", "temperature".
template <class Scalar>
RfmTreeFit<Scalar> fit_rfm_tree(const StoredSplit<Scalar>& split, const RfmTreeOptions& options,
                                const RandomStream& stream, const LeafCallback& on_leaf = {});

}  // namespace ansatz::rfm
