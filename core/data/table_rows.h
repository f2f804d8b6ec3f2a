// Rows of numbers in a file, as doubles, before they are rounded to the run's precision.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

/// Numbers as the file has them, a block of rows at a time. They can be read as often as needed, so that scaling works
/// in double and never holds a second copy of the whole table.
struct TableRows {
  using Take = std::function<void(Index first, Matrix<double>& block)>;

  /// Calls take(first, block), where block holds the rows rows[first], rows[first + 1], ... (ascending), in order. NaN
  /// is a missing value; other values are finite.
  std::function<void(const std::vector<Index>& rows, const Take& take)> read;
  std::function<std::string(Index row, Index column)> where;  ///< the place of a value, for messages
  double epsilon = std::numeric_limits<double>::epsilon();    ///< of the type in the file; 0 for integers

  explicit operator bool() const { return static_cast<bool>(read); }
};

/// How many rows make a block of a few megabytes.
Index rows_of_a_block(Index columns);

/// How much rounding from double to Scalar changes each column, compared with how much its values vary; 0 for constant
/// columns.
struct RoundingShare {
  /// Standard deviation of the difference, divided by that of the values; 1 if every value became 0.
  std::vector<double> overall;
  /// The difference divided by the spread of the tenth of all values that lie nearest, as a root mean square, at most
  /// 1. This shows what is lost within groups of values that lie far apart. From a few thousand evenly chosen rows.
  std::vector<double> local;
};

/// The rows as Scalar, after `change` (if given) has changed each block. Stores in `share` (if given) what rounding
/// lost. Throws DataError naming the place of a value that is too large for Scalar.
template <class Scalar>
Matrix<Scalar> read_table(const TableRows& table, const std::vector<Index>& rows, Index columns,
                          const std::function<void(Matrix<double>&)>& change = {}, RoundingShare* share = nullptr);

}  // namespace ansatz
