// What suggests that the numbers of a column are really ids, codes or dates.
#pragma once

#include <string>
#include <string_view>

#include "core/base/matrix.h"

namespace ansatz {

/// Digits only, with or without a sign.
bool is_whole(std::string_view cell);

class CodeSigns {
 public:
  void see(std::string_view cell, double number);  ///< each number of the column, in the order of the rows

  /// The strongest, such as "it counts the rows, from 1"; empty: none. `rows`: of the table. Years that rise are
  /// numbers.
  std::string found(const std::string& column, Index rows) const;

 private:
  std::string of_order(Index rows) const;

  Index numbers_ = 0;
  double first_ = 0, last_ = 0;
  bool whole_ = true, rises_ = true, counts_ = true, years_ = true, dates_ = true;
  std::string first_cell_, leading_zeros_;
};

}  // namespace ansatz
