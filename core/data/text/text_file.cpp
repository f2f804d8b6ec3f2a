#include "core/data/text/text_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/base/error.h"
#include "core/data/tables/cell_format.h"
#include "core/data/tables/csv.h"
#include "core/files/files.h"

namespace ansatz {
namespace {

using Cells = std::vector<std::string_view>;

/// Which cells of a row are label and text.
struct Places {
  std::optional<std::size_t> label;
  std::size_t text = 0;
  std::size_t cells = 0;  // of every row
  bool header = false;
};

std::optional<std::size_t> column_number(const std::string& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) return std::nullopt;
  return number;
}

std::string in_words(char delimiter) { return delimiter == '\t' ? "tab" : fmt::format("\"{}\"", delimiter); }

Places numbered_places(const std::string& file, const Cells& first, const TextColumns& columns, TextLabels labels) {
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

Places named_places(const std::string& file, const Cells& header, const TextColumns& columns, TextLabels labels) {
  const auto find = [&](const std::string& name) -> std::optional<std::size_t> {
    const auto found = std::find(header.begin(), header.end(), name);
    if (found == header.end()) return std::nullopt;
    return static_cast<std::size_t>(found - header.begin());
  };
  Places places{find(columns.label), 0, header.size(), true};
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

Places find_places(const std::string& file, const Cells& first, const TextColumns& columns, TextLabels labels) {
  const bool label = column_number(columns.label).has_value(), text = column_number(columns.text).has_value();
  if (label != text)
    throw DataError(file +
                    ": `label` and `text` must both be names of the header line, or both numbers of columns of "
                    "a file without one");
  return label ? numbered_places(file, first, columns, labels) : named_places(file, first, columns, labels);
}

void require_as_many(const TextFile& file, Index line, std::size_t cells, const Places& places, char delimiter) {
  if (cells == places.cells) return;
  throw DataError(fmt::format("{}: line {} has {} cells, the first has {}: is there a delimiter ({}) within a text? {}",
                              file.name, line, cells, places.cells, in_words(delimiter),
                              delimiter == '\t' ? "Take it out" : "Put the text in double quotes"));
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

}  // namespace

std::string TextFile::place(std::size_t row) const { return fmt::format("{}: line {}", name, lines[row]); }

TextFile read_text_file(const std::filesystem::path& path, const TextColumns& columns, TextLabels labels) {
  if (path.empty()) throw DataError("text: `path` is not given: the file of texts");
  TextFile file;
  file.name = path.string();
  const std::string bytes = read_file_or_gzip(path);
  CsvReader reader(bytes, columns.delimiter, file.name, columns.delimiter == '\t' ? Quotes::none : Quotes::enclose);
  std::optional<Places> places;
  while (reader.next()) {
    const Cells& cells = reader.cells();
    const bool first = !places;
    if (first) places = find_places(file.name, cells, columns, labels);
    if (first && places->header) continue;
    require_as_many(file, reader.line(), cells.size(), *places, columns.delimiter);
    file.lines.push_back(reader.line());
    file.texts.emplace_back(cells[places->text]);
    if (!is_utf8(cells[places->text]))
      throw DataError(fmt::format("{}, {}, is no UTF-8 text; save the file as UTF-8", file.place(file.texts.size() - 1),
                                  in_quotes(file.texts.back())));
    if (!places->label) continue;
    file.labels.emplace_back(cells[*places->label]);
    if (labels == TextLabels::needed && file.labels.back().empty())
      throw DataError(file.place(file.texts.size() - 1) + ": no label");
  }
  if (file.texts.empty()) throw DataError(file.name + ": no rows");
  if (labels == TextLabels::needed && !places->header) refuse_header(file);
  return file;
}

}  // namespace ansatz
