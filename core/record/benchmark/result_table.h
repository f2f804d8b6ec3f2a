// A table of results as plain cells: the report, Markdown, CSV and LaTeX are made from it.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ansatz {

struct TableColumn {
  std::string key;   ///< of a CSV file: "average_accuracy_percent"
  std::string head;  ///< for people: "average accuracy (%)"
  bool words = false;
  /// Of numbers, behind the point; negative: so many significant digits.
  int decimals = 2;
  bool timing = false;  ///< equal runs differ in it: for people, not for files that others compare
};

struct TableCell {
  std::string words = {};
  std::optional<double> value = {}, sd = {};  ///< in the column's unit; NaN: undefined
  bool best = false;                          ///< set off from the others of its column, or row

  static TableCell of(std::string words) { return {std::move(words)}; }
  static TableCell of(double value, std::optional<double> sd = {}) { return {{}, value, sd}; }
};

struct ResultTable {
  std::string name;         ///< of its files: "summary"
  std::string title, note;  ///< note: how to read it
  std::vector<TableColumn> columns;
  std::vector<std::vector<TableCell>> rows;
  std::vector<std::size_t> rules = {};  ///< rows that begin a group of their own
};

/// "83.24", "97.36 ± 4.04", "7.4e-05", "–" for what is undefined, nothing for an empty cell.
std::string cell_text(const TableColumn& column, const TableCell& cell);

/// Marks the largest (or least) number of a column among rows [first, end); all, where several are equal as written.
void mark_best(ResultTable& table, std::size_t column, bool largest, std::size_t first, std::size_t end);

}  // namespace ansatz
