// Files with a list of rows on each line.
#pragma once

#include <filesystem>
#include <vector>

#include "core/data/collections/table_set.h"

namespace ansatz {

/// Reads a file of 2 * pairs lines, each the 0-based numbers of rows, separated by spaces: the training and the test
/// rows of one split, then those of the next. Throws DataError naming file and line: another number of lines, what is
/// no row number, a row beyond `rows`, one that is twice in a list or in both lists of a split.
std::vector<RowSplit> read_row_lists(const std::filesystem::path& path, Index pairs, Index rows);

/// Whether every one of `rows` rows is in one of the lists.
bool covers_all(const RowSplit& split, Index rows);

}  // namespace ansatz
