#include "core/data/text/text_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/base/error.h"
#include "core/data/tables/cell_format.h"
#include "core/data/tables/csv.h"
#include "core/data/text/text_doubts.h"
#include "core/files/files.h"

namespace ansatz {
namespace {

using Cells = std::vector<std::string_view>;

std::optional<std::size_t> column_number(const std::string& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) return std::nullopt;
  return number;
}

std::string in_words(char delimiter) { return delimiter == '\t' ? "tab" : fmt::format("\"{}\"", delimiter); }

TextPlaces numbered_places(const std::string& file, const Cells& first, const TextColumns& columns, TextLabels labels) {
  const std::size_t label = *column_number(columns.label), text = *column_number(columns.text);
  if (label == text) throw DataError(fmt::format("{}: `label` and `text` are both column {}", file, label));
  if (labels == TextLabels::optional && first.size() == 1) return {std::nullopt, 0, 1, false};
  if (std::max(label, text) > first.size())
    throw DataError(fmt::format(
        "{}: the first row has {} {} between delimiters ({}), but label and text are columns {} and {}; "
        "check `delimiter`, `label` and `text`",
        file, first.size(), first.size() == 1 ? "cell" : "cells", in_words(columns.delimiter), label, text));
  return {label - 1, text - 1, first.size(), false};
}

TextPlaces named_places(const std::string& file, const Cells& header, const TextColumns& columns, TextLabels labels) {
  const auto find = [&](const std::string& name) -> std::optional<std::size_t> {
    const auto found = std::find(header.begin(), header.end(), name);
    if (found == header.end()) return std::nullopt;
    if (std::find(found + 1, header.end(), name) != header.end())
      throw DataError(
          fmt::format("{}: two columns of its header line are called {}; rename one", file, in_quotes(name)));
    return static_cast<std::size_t>(found - header.begin());
  };
  TextPlaces places{find(columns.label), 0, header.size(), true};
  const std::optional<std::size_t> text = find(columns.text);
  for (const std::string& name : {columns.text, columns.label}) {
    if (find(name) || (name == columns.label && labels == TextLabels::optional)) continue;
    std::vector<std::string> names;
    for (const std::string_view cell : header) names.push_back(in_quotes(cell));
    throw DataError(
        fmt::format("{}: no column \"{}\" in its header line, which has {}; check `delimiter`, `label` and "
                    "`text` (numbers, if the file has no header)",
                    file, name, fmt::join(names, ", ")));
  }
  places.text = *text;
  return places;
}

TextPlaces find_places(const std::string& file, const Cells& first, const TextColumns& columns, TextLabels labels) {
  const bool label = column_number(columns.label).has_value(), text = column_number(columns.text).has_value();
  if (label != text)
    throw DataError(file +
                    ": `label` and `text` must both be names of the header line, or both numbers of columns of "
                    "a file without one");
  return label ? numbered_places(file, first, columns, labels) : named_places(file, first, columns, labels);
}

void require_as_many(const TextFile& file, Index line, std::size_t cells, const TextPlaces& places, char delimiter) {
  if (cells == places.cells) return;
  throw DataError(fmt::format("{}: line {} has {} cells, the first has {}: is there a delimiter ({}) within a text? {}",
                              file.name, line, cells, places.cells, in_words(delimiter),
                              delimiter == '\t' ? "Take it out" : "Put the text in double quotes"));
}

/// pandas calls columns without names 0, 1, ...; before them stands an empty name for the numbers of the rows.
void refuse_counted_columns(const std::string& file, const Cells& first) {
  const std::size_t from = first.front().empty() ? 1 : 0;
  bool counts = first.size() >= from + 2;
  for (std::size_t i = from; i < first.size(); ++i) counts = counts && first[i] == std::to_string(i - from);
  if (counts)
    throw DataError(
        fmt::format("{}: the first row, {}, counts the columns: it is a header line without names; take it out", file,
                    fmt::join(first, ", ")));
}

/// The first row of a file that is said to have no header: its label stands in no other row.
void refuse_header(const TextFile& file) {
  if (file.labels.size() < 3 || std::count(file.labels.begin(), file.labels.end(), file.labels.front()) > 1) return;
  throw DataError(
      fmt::format("{}: the label of the first row, {}, occurs nowhere else: is it a header line? Then give `label` and "
                  "`text` by its "
                  "names; else leave that row out",
                  file.name, in_quotes(file.labels.front())));
}

void add_row(TextFile& file, const Cells& cells, Index line, const TextPlaces& places, TextLabels labels) {
  file.lines.push_back(line);
  file.texts.emplace_back(cells[places.text]);
  const std::string place = file.place(file.texts.size() - 1);
  if (!is_utf8(file.texts.back()))
    throw DataError(
        fmt::format("{}, {}, is no UTF-8 text; save the file as UTF-8", place, in_quotes(file.texts.back())));
  if (!places.label) return;
  const std::string& label = file.labels.emplace_back(cells[*places.label]);
  if (!is_utf8(label))
    throw DataError(fmt::format("{}, the label {} is no UTF-8 text; save the file as UTF-8", place, in_quotes(label)));
  if (labels == TextLabels::needed && label.empty()) throw DataError(place + ": no label");
}

/// Columns without a name in the header line: where texts hold delimiters, their ends come to lie there.
class NamelessCells {
 public:
  explicit NamelessCells(const Cells& header) {
    for (std::size_t i = 0; i < header.size(); ++i)
      if (i > 0 && header[i].empty()) columns_.push_back(i);  // a first one numbers the rows
  }

  void look_at(const Cells& cells, Index line) {
    const auto filled = [&](std::size_t column) { return !cells[column].empty(); };
    if (std::none_of(columns_.begin(), columns_.end(), filled)) return;
    if (++rows_ == 1) first_line_ = line;
  }

  /// "" if there is none.
  std::string doubt(const std::string& file) const {
    if (rows_ == 0) return "";
    return fmt::format(
        "{}: {} {} something in columns without a name, the first in line {}: ends of texts that were cut "
        "at delimiters? They are not read",
        file, rows_, rows_ == 1 ? "row has" : "rows have", first_line_);
  }

 private:
  std::vector<std::size_t> columns_;
  Index rows_ = 0, first_line_ = 0;
};

}  // namespace

std::string TextFile::place(std::size_t row) const { return fmt::format("{}: line {}", name, lines[row]); }

TextFile read_text_file(const std::filesystem::path& path, const TextColumns& columns, TextLabels labels) {
  if (path.empty()) throw DataError("text: `path` is not given: the file of texts");
  TextFile file;
  file.name = path.string();
  const std::string bytes = read_file_or_gzip(path);
  CsvReader reader(bytes, columns.delimiter, file.name, columns.delimiter == '\t' ? Quotes::none : Quotes::enclose);
  if (!reader.next()) throw DataError(file.name + ": no rows");
  const TextPlaces places = find_places(file.name, reader.cells(), columns, labels);
  NamelessCells nameless(places.header ? reader.cells() : Cells());
  if (!places.header) refuse_counted_columns(file.name, reader.cells());
  Index next_line = places.header ? reader.line() + 1 : 1;
  for (bool more = !places.header || reader.next(); more; more = reader.next()) {
    const Cells& cells = reader.cells();
    require_as_many(file, reader.line(), cells.size(), places, columns.delimiter);
    for (; places.cells == 1 && next_line < reader.line(); ++next_line) add_row(file, {""}, next_line, places, labels);
    next_line = reader.line() + 1 + std::count(cells[places.text].begin(), cells[places.text].end(), '\n');
    add_row(file, cells, reader.line(), places, labels);
    nameless.look_at(cells, reader.line());
  }
  if (file.texts.empty()) throw DataError(file.name + ": no rows");
  if (labels == TextLabels::needed && !places.header) refuse_header(file);
  file.warnings = doubts_of(file, places, columns.delimiter, labels);
  if (const std::string doubt = nameless.doubt(file.name); !doubt.empty()) file.warnings.push_back(doubt);
  return file;
}

}  // namespace ansatz
