#include "core/data/tables/files/arff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/error.h"
#include "core/base/nearest.h"
#include "core/data/tables/cell_format.h"
#include "core/data/tables/csv.h"
#include "core/data/tables/files/arff_line.h"

namespace ansatz {
namespace {

using Kind = ArffAttribute::Kind;

constexpr std::string_view kSpaces = " \t";

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

/// A cell that reads back as this very text, spaces at its ends included.
void append_quoted(const std::string& text, std::string& csv) {
  csv += '"';
  for (const char c : text) csv.append(c == '"' ? 2 : 1, c);
  csv += '"';
}

class ArffReader {
 public:
  ArffReader(std::string_view text, std::string label) : text_(text), label_(std::move(label)) {
    CsvReader(text_, ',', label_);  // refuses what is no text
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") text_.remove_prefix(3);
  }

  ArffTable read() {
    for (std::size_t at = 0; at < text_.size(); table_.csv += '\n') {
      const std::size_t end = std::min(text_.find_first_of("\r\n", at), text_.size());
      ArffLine line(text_.substr(at, end - at), ++lines_, label_);
      line.skip_spaces();
      if (!line.at_end() && line.next() != '%') in_data_ ? read_row(line) : read_declaration(line);
      at = end + (text_.substr(end, 2) == "\r\n" ? 2 : 1);
    }
    if (!in_data_) throw DataError(label_ + ": no line @data, after which the rows stand; is this an ARFF file?");
    return std::move(table_);
  }

 private:
  void read_declaration(ArffLine& line) {
    const std::string keyword = lower_case(line.piece(" \t{").text);
    if (keyword == "@attribute") return read_attribute(line);
    if (keyword == "@data") return begin_data(line);
    if (keyword == "@relation") return;
    line.refuse(fmt::format("{} is no @relation, @attribute or @data", in_quotes(keyword)));
  }

  void read_attribute(ArffLine& line) {
    ArffAttribute attribute;
    attribute.name = line.piece(" \t{").text;
    if (attribute.name.empty()) line.refuse("an attribute without a name");
    line.skip_spaces();
    if (line.next() == '{') {
      attribute.kind = Kind::nominal;
      read_values(line, attribute);
    } else {
      attribute.kind = kind_of(lower_case(line.piece(" \t[%").text), attribute.name, line);
      line.skip_spaces();
      if (attribute.kind == Kind::numeric && !line.at_end() && line.next() != '[' && line.next() != '%')
        line.refuse(fmt::format("text after the type of {}", in_quotes(attribute.name)));
    }
    values_.emplace_back(attribute.values.begin(), attribute.values.end());
    table_.attributes.push_back(std::move(attribute));
  }

  static Kind kind_of(const std::string& word, const std::string& name, const ArffLine& line) {
    if (word == "numeric" || word == "real" || word == "integer") return Kind::numeric;
    if (word == "string" || word == "date") return Kind::text;
    if (word == "relational") line.refuse("relational attributes are not read; make a table of numbers and names");
    line.refuse(fmt::format("the type of {} is {}; it must be numeric, real, integer, string, date or a list {{a, b}}",
                            in_quotes(name), in_quotes(word)));
  }

  static void read_values(ArffLine& line, ArffAttribute& attribute) {
    line.step_over('{');
    do {
      attribute.values.push_back(line.piece(",}").text);
    } while (line.step_over(','));
    if (!line.step_over('}'))
      line.refuse(
          fmt::format("the list of values of {} never closes, or a value that holds a comma, a brace or a "
                      "quote is not in quotes",
                      in_quotes(attribute.name)));
    line.skip_spaces();
    if (!line.at_end() && line.next() != '%')
      line.refuse(fmt::format("text after the list of values of {}", in_quotes(attribute.name)));
  }

  void begin_data(ArffLine& line) {
    line.skip_spaces();
    if (!line.at_end() && line.next() != '%') line.refuse("text after @data; rows begin on the next line");
    if (table_.attributes.empty()) line.refuse("@data before any @attribute");
    in_data_ = true;
    for (std::size_t i = 0; i < table_.attributes.size(); ++i) {
      if (i > 0) table_.csv += ',';
      append_quoted(table_.attributes[i].name, table_.csv);
    }
  }

  void read_row(ArffLine& line) {
    if (line.next() == '{')
      line.refuse("a sparse row, {index value, ...}; write the table with a value for every attribute");
    std::size_t cells = 0;
    do {
      const ArffLine::Piece cell = line.piece(",");
      line.skip_spaces();
      if (!line.at_end() && line.next() != ',')
        line.refuse(
            fmt::format("cell {} has text after its closing quote; inside quotes write \\' or \\\"", cells + 1));
      if (cells < table_.attributes.size()) append_cell(cell, cells, line);
      last_ = cell.text;
      ++cells;
    } while (line.step_over(','));
    if (cells != table_.attributes.size()) refuse_length(cells, line);
  }

  [[noreturn]] void refuse_length(std::size_t cells, const ArffLine& line) const {
    const std::size_t attributes = table_.attributes.size();
    const char* const why = cells == 1 && last_.find_first_of(kSpaces) != last_.npos ? "; separate them by commas"
                            : cells == attributes + 1 && !last_.empty() && last_.front() == '{'
                                ? "; weights of rows, in braces, are not read: leave them out"
                            : cells == attributes + 1 && last_.empty() ? " (a comma at the end of the line?)"
                            : cells > attributes ? "; a value that holds a comma must be in quotes"
                                                 : "; is the file whole?";
    line.refuse(fmt::format("{} cells for {} attributes{}", cells, attributes, why));
  }

  void append_cell(const ArffLine::Piece& cell, std::size_t column, const ArffLine& line) {
    const ArffAttribute& attribute = table_.attributes[column];
    if (column > 0) table_.csv += ',';
    if (!cell.quoted && cell.text == "?") return;
    const auto refuse = [&](const std::string& what) {
      line.refuse(fmt::format("attribute {}: {}", in_quotes(attribute.name), what));
    };
    if (!cell.quoted && cell.text.empty()) refuse("an empty cell; a missing value is written ?");
    if (attribute.kind == Kind::numeric) {
      const std::optional<double> number = parse_number(cell.text);
      if (!number || !std::isfinite(*number))
        refuse(in_quotes(cell.text) + " is no finite number; a missing value is written ?");
      table_.csv += cell.text;
      return;
    }
    if (attribute.kind == Kind::nominal && values_[column].count(cell.text) == 0) {
      const std::string near = nearest(cell.text, attribute.values);
      refuse(fmt::format("{} is none of its declared values{}", in_quotes(cell.text),
                         near.empty() ? "" : "; is it " + in_quotes(near) + "?"));
    }
    append_quoted(cell.text, table_.csv);
  }

  std::string_view text_;
  std::string label_;
  Index lines_ = 0;
  bool in_data_ = false;
  std::string last_;  ///< cell that was read
  ArffTable table_;
  std::vector<std::set<std::string>> values_;  ///< of each attribute, if it is nominal
};

}  // namespace

ArffTable read_arff(std::string_view text, const std::string& label) { return ArffReader(text, label).read(); }

}  // namespace ansatz
