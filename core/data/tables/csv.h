// Comma-separated text, row by row (RFC 4180).
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

/// Whether double quotes may enclose a cell, or are characters like any other (as in files of texts between tabs).
enum class Quotes { enclose, none };

/// Reads quoted cells ("" is a quote; line breaks inside are kept), LF, CRLF or CR line ends, and a UTF-8 byte order
/// mark. Spaces around cells are dropped, empty lines skipped. `text` must outlive the reader.
class CsvReader {
 public:
  /// `label` names the file in messages.
  CsvReader(std::string_view text, char delimiter, std::string label, Quotes quotes = Quotes::enclose);

  /// Reads the next row; false at the end. Throws DataError naming row and line: a quote that never closes, text after
  /// a closing quote.
  bool next();

  /// Reads the row that begins at `offset`, which offset() has given before. Afterwards row() and where() mean nothing.
  void read_at(std::size_t offset);

  const std::vector<std::string_view>& cells() const { return cells_; }  ///< valid until the next call
  Index row() const { return row_; }        ///< of the row just read; the header is row 0, the first row of data row 1
  Index line() const { return row_line_; }  ///< of the file, from 1, where the row just read begins
  std::size_t offset() const { return row_at_; }  ///< where the row just read begins
  std::string where() const;                      ///< "houses.csv: row 3 (line 4)"

 private:
  void skip_empty_lines();
  void read_cell();
  void read_quoted_cell();
  bool at_line_end() const { return at_ >= text_.size() || text_[at_] == '\n' || text_[at_] == '\r'; }
  bool is_space(char c) const { return (c == ' ' || c == '\t') && c != delimiter_; }
  void step_over_line_end();

  std::string_view text_;
  char delimiter_;
  std::string label_;
  Quotes quotes_;
  std::size_t at_ = 0, row_at_ = 0;
  Index row_ = -1, line_ = 1, row_line_ = 1;
  std::vector<std::string_view> cells_;
  std::deque<std::string> unquoted_;  ///< cells that held "" pairs
};

/// The number, if the whole cell is one, with a decimal point ("+1.5", "-2e3", "inf"). A number that is too large is
/// infinite. Never NaN.
std::optional<double> parse_number(std::string_view cell);

}  // namespace ansatz
