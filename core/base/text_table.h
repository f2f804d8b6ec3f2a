// Tables in text of a fixed pitch, such as a terminal shows.
#pragma once

#include <string>
#include <vector>

namespace ansatz {

struct TextColumn {
  std::string head;
  bool words = false;  ///< left-aligned, and may break into lines; numbers do not
  int spare = 0;       ///< 0: always shown; the column with the largest is left out first where the table is too wide
};

/// A heading and rows, a cell a column, with columns as wide as their contents. In `width` columns of a terminal words
/// break, and where that does not do, columns are left out and named in a last line. 0: as wide as it is.
std::string text_table(std::vector<TextColumn> columns, std::vector<std::vector<std::string>> rows, std::size_t width);

}  // namespace ansatz
