// How Grinsztajn et al. (NeurIPS Datasets and Benchmarks 2022) prepare a table and split it.
#pragma once

#include <vector>

#include "core/base/random.h"
#include "core/data/collections/table_set.h"

namespace ansatz {

/// Rows of a TableSet for one repeat.
struct ThreeWaySplit {
  std::vector<Index> train, validation, test;
};

struct GrinsztajnOptions {
  double train_fraction = 0.7;
  Index train_limit = 10'000;        ///< their "medium" size; "large" is 50,000
  double validation_fraction = 0.3;  ///< of the rows that are not for training; the others are for testing
  Index validation_limit = 50'000, test_limit = 50'000;
};

/// The set without its one-hot groups: their numerical variant. DataError if no column is left.
TableSet numeric_columns_only(TableSet set);

/// The set with equally many rows of each class: of each, as many as the rarest has, drawn by `stream`, in their order.
/// Regression sets, and sets that are balanced, come back as they are.
TableSet balance_classes(TableSet set, const RandomStream& stream);

/// How many random splits a set of so many test rows is worth: 1 above 6000, 2 above 3000, 3 above 1000, else 5.
Index grinsztajn_repeats(Index test_rows);

/// The splits of `set`, as many as grinsztajn_repeats() says of their test rows. Repeat r is drawn by
/// stream.named("repeat/r"), without regard to class or to any other repeat. Each list is ascending. DataError if a
/// part would be empty.
std::vector<ThreeWaySplit> grinsztajn_splits(const TableSet& set, const GrinsztajnOptions& options,
                                             const RandomStream& stream);

}  // namespace ansatz
