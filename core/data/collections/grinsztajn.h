// How Grinsztajn et al. (NeurIPS Datasets and Benchmarks 2022, the paper's "Tabular Benchmark 2") prepare a table and
// split it. The paper itself says no more than that random training, validation and test splits are averaged over and
// that "medium" means at most 10,000 training rows (section 3.3, appendix D); the rest is what the benchmark's code
// does. Its splits come from NumPy's generators and are not reproduced row by row.
#pragma once

#include <vector>

#include "core/base/random.h"
#include "core/data/collections/table_set.h"

namespace ansatz {

/// Rows of a TableSet for one repeat.
struct ThreeWaySplit {
  std::vector<Index> train, validation, test;
};

/// The sizes of the parts; the defaults are the benchmark's.
struct GrinsztajnOptions {
  double train_fraction = 0.7;
  Index train_limit = 10'000;        ///< of "medium" sets; of "large" ones 50,000
  double validation_fraction = 0.3;  ///< of the rows that are not for training; the others are for testing
  Index validation_limit = 50'000, test_limit = 50'000;
  Index repeats = 0;  ///< splits of each set; 0: as many as the benchmark's rule says, grinsztajn_repeats()
};

/// The numerical variant: the set without its one-hot groups. The categorical one is the set as it is. DataError if no
/// column is left.
TableSet numeric_columns_only(TableSet set);

/// The set with equally many rows of each class: of each as many as the rarest has, drawn by `stream`, in their order.
/// Splits that the set has keep the rows that are left. Regression sets, and sets that are balanced, come back as they
/// are. The benchmark does this once, before any split; of more than two classes it takes the two largest, which this
/// does not. DataError if a class has no rows.
TableSet balance_classes(TableSet set, const RandomStream& stream);

/// How many random splits a set of so many test rows is worth: 1 above 6000, 2 above 3000, 3 above 1000, else 5.
Index grinsztajn_repeats(Index test_rows);

/// DataError if a split of so many rows would have an empty part.
void require_enough_rows(const TableSetSize& set, const GrinsztajnOptions& options);

/// The splits of `set`, `repeats` of them or as many as grinsztajn_repeats() says of their test rows. Repeat r is drawn
/// by stream.named("repeat/r"), without regard to class or to any other repeat, and does not shift the others.
/// Fractions of rows are rounded down, and the test rows get what is over. Each list is ascending. DataError if a part
/// would be empty.
std::vector<ThreeWaySplit> grinsztajn_splits(const TableSet& set, const GrinsztajnOptions& options,
                                             const RandomStream& stream);

}  // namespace ansatz
