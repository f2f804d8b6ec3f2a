// The rows of a .npy file, in blocks of a few megabytes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/data/table_rows.h"
#include "core/files/npy_rows.h"

namespace ansatz {

/// Calls take(first, block) for the given rows, ascending, a block at a time. T: as for NpyRows::read.
template <class T>
void read_blocks(const NpyRows& file, const std::vector<Index>& rows,
                 const std::function<void(Index first, Matrix<T>&)>& take);

std::vector<Index> all_rows(const NpyRows& file);

/// Throws DataError naming the place unless all values are finite, and integers are no larger than those that double
/// can tell apart. `block` holds the rows rows[first], rows[first + 1], ...
void check_numbers(const NpyRows& file, const std::vector<Index>& rows, Index first, const Matrix<double>& block);

/// The array's rows as a table of finite numbers.
TableRows npy_table(const NpyRows& file);

}  // namespace ansatz
