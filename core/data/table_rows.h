// Rows of numbers in a file, in double, before they become the run's precision.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

/// Numbers as the file has them, a block of rows at a time and as often as asked: scaling works on them in double, and
/// no second copy of the whole is ever held.
struct TableRows {
  using Take = std::function<void(Index first, Matrix<double>& block)>;

  /// Calls take(first, block), where block holds the rows rows[first], rows[first + 1], ... (ascending), in order. NaN
  /// is a missing value; other values are finite.
  std::function<void(const std::vector<Index>& rows, const Take& take)> read;
  std::function<std::string(Index row, Index column)> where;  ///< the place of a value, for messages
  double epsilon = std::numeric_limits<double>::epsilon();    ///< of the type the values are stored in; 0: integers

  explicit operator bool() const { return static_cast<bool>(read); }
};

/// Rows of a block: a few megabytes.
Index rows_of_a_block(Index columns);

/// How much of what each column says is rounding, where double became Scalar; 0 for constant columns.
struct RoundingShare {
  /// Standard deviation of the difference, divided by that of the values; 1 where every value became 0.
  std::vector<double> overall;
  /// Root mean square of the difference divided by the spread of the tenth of the values around each (at most 1): what
  /// is lost within groups that lie far apart. From evenly spread rows, some thousand.
  std::vector<double> local;
};

/// Those rows as Scalar, after `change` has worked on each block (if given); what was lost goes to `share` (if given).
/// Throws DataError naming the place of a value that is too large for Scalar.
template <class Scalar>
Matrix<Scalar> read_table(const TableRows& table, const std::vector<Index>& rows, Index columns,
                          const std::function<void(Matrix<double>&)>& change = {}, RoundingShare* share = nullptr);

}  // namespace ansatz
