#include "core/data/tables/csv.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "core/base/error.h"

namespace ansatz {

CsvReader::CsvReader(std::string_view text, char delimiter, std::string label, Quotes quotes)
    : text_(text), delimiter_(delimiter), label_(std::move(label)), quotes_(quotes) {
  if (text_.substr(0, 3) == "\xEF\xBB\xBF") text_.remove_prefix(3);
  if (text_.substr(0, 4) == "PK\x03\x04")
    throw DataError(label_ + ": this is a zip file or a spreadsheet (.xlsx), no text; export it as CSV");
  if (text_.substr(0, 4) == "sep=")
    throw DataError(label_ + ": the first line, sep=, is for a spreadsheet program; take it out");
  if (text_.substr(0, 2) == "\xFF\xFE" || text_.substr(0, 2) == "\xFE\xFF" || text_.substr(0, 64).find('\0') < 64) {
    throw DataError(label_ + ": this is UTF-16 text; save it as UTF-8");
  }
}

std::string CsvReader::where() const {
  if (row_ == 0) return fmt::format("{}: header (line {})", label_, row_line_);
  return fmt::format("{}: row {} (line {})", label_, row_, row_line_);
}

void CsvReader::step_over_line_end() {
  if (at_ >= text_.size()) return;
  at_ += text_.substr(at_, 2) == "\r\n" ? 2 : 1;
  ++line_;
}

void CsvReader::skip_empty_lines() {
  while (at_ < text_.size()) {
    std::size_t end = at_;
    while (end < text_.size() && is_space(text_[end])) ++end;
    if (end < text_.size() && text_[end] != '\n' && text_[end] != '\r') return;
    at_ = end;
    step_over_line_end();
  }
}

bool CsvReader::next() {
  skip_empty_lines();
  if (at_ >= text_.size()) return false;
  ++row_;
  row_line_ = line_;
  row_at_ = at_;
  cells_.clear();
  unquoted_.clear();
  for (;;) {
    read_cell();
    if (at_line_end()) break;
    ++at_;  // the delimiter
  }
  step_over_line_end();
  return true;
}

void CsvReader::read_at(std::size_t offset) {
  at_ = offset;
  next();
}

void CsvReader::read_cell() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  if (at_ < text_.size() && text_[at_] == '"' && quotes_ == Quotes::enclose) return read_quoted_cell();
  const std::size_t begin = at_;
  while (!at_line_end() && text_[at_] != delimiter_) ++at_;
  std::size_t end = at_;
  while (end > begin && is_space(text_[end - 1])) --end;
  cells_.push_back(text_.substr(begin, end - begin));
}

void CsvReader::read_quoted_cell() {
  const std::size_t begin = ++at_;
  bool pairs = false;
  for (;; ++at_) {
    if (at_ >= text_.size()) throw DataError(where() + ": a quoted cell that starts here never ends");
    if (text_[at_] == '\n') ++line_;
    if (text_[at_] != '"') continue;
    if (text_.substr(at_, 2) != "\"\"") break;
    pairs = true;
    ++at_;
  }
  std::string_view cell = text_.substr(begin, at_ - begin);
  if (pairs) {
    std::string& text = unquoted_.emplace_back();
    for (std::size_t i = 0; i < cell.size(); ++i) {
      text += cell[i];
      if (cell[i] == '"') ++i;
    }
    cell = text;
  }
  cells_.push_back(cell);
  ++at_;
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  if (!at_line_end() && text_[at_] != delimiter_) {
    throw DataError(fmt::format("{}: cell {} has text after its closing quote", where(), cells_.size()));
  }
}

std::optional<double> parse_number(std::string_view cell) {
  if (!cell.empty() && cell.front() == '+') {
    cell.remove_prefix(1);
    if (!cell.empty() && cell.front() == '-') return std::nullopt;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (cell.empty() || end != cell.data() + cell.size()) return std::nullopt;
  if (error != std::errc::result_out_of_range)
    return error == std::errc() && !std::isnan(value) ? std::optional(value) : std::nullopt;
  // The number is out of range. It counts as 0 if it is too small: its exponent has a minus sign or, if it has none,
  // only zeros stand before the point.
  const bool exponent = cell.find_first_of("eE") != std::string_view::npos;
  const bool tiny = exponent ? cell.find("e-") != std::string_view::npos || cell.find("E-") != std::string_view::npos
                             : cell.substr(0, cell.find('.')).find_first_of("123456789") == std::string_view::npos;
  return tiny ? 0.0 : std::numeric_limits<double>::infinity();
}

}  // namespace ansatz
