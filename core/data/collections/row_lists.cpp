#include "core/data/collections/row_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "core/base/error.h"
#include "core/data/tables/cell_format.h"
#include "core/files/files.h"

namespace ansatz {
namespace {

constexpr std::string_view kSpaces = " \t\r";

/// The lines that hold anything, with their numbers.
std::vector<std::pair<std::string_view, Index>> lines_of(std::string_view text) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  std::vector<std::pair<std::string_view, Index>> lines;
  for (Index number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.find_first_not_of(kSpaces) != line.npos) lines.emplace_back(line, number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

[[noreturn]] void refuse_row(std::string_view word, Index rows, const std::string& where) {
  throw DataError(fmt::format("{}: {} is no row of 0 to {}{}", where, in_quotes(word), rows - 1,
                              word == std::to_string(rows) ? "; are rows counted from 1?" : ""));
}

/// Adds the line's rows to `list` and marks them as those of line `number`.
void read_list(std::string_view line, Index number, const std::string& file, std::vector<Index>& seen,
               std::vector<Index>& list) {
  const std::string where = fmt::format("{}: line {}", file, number);
  const auto rows = static_cast<Index>(seen.size());
  for (std::size_t begin = line.find_first_not_of(kSpaces); begin != line.npos;
       begin = line.find_first_not_of(kSpaces, begin)) {
    const std::size_t end = std::min(line.find_first_of(kSpaces, begin), line.size());
    const std::string_view word = line.substr(begin, end - begin);
    Index row = -1;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), row);
    if (error != std::errc() || stop != word.data() + word.size() || row < 0 || row >= rows)
      refuse_row(word, rows, where);
    Index& line_of_row = seen[static_cast<std::size_t>(row)];
    if (line_of_row == number) throw DataError(fmt::format("{}: row {} is there twice", where, row));
    if (line_of_row > 0)
      throw DataError(
          fmt::format("{}: row {} is in line {}, too: it would be trained and tested on", where, row, line_of_row));
    line_of_row = number;
    list.push_back(row);
    begin = end;
  }
}

}  // namespace

std::vector<RowSplit> read_row_lists(const std::filesystem::path& path, Index pairs, Index rows) {
  const std::string text = read_file_or_gzip(path);
  const auto lines = lines_of(text);
  if (static_cast<Index>(lines.size()) != 2 * pairs)
    throw DataError(fmt::format("{}: {} lines of row numbers; there must be {}, training and test rows of {}",
                                path.string(), lines.size(), 2 * pairs,
                                pairs == 1 ? "one split" : fmt::format("{} splits", pairs)));
  std::vector<RowSplit> splits;
  for (std::size_t i = 0; i < lines.size(); i += 2) {
    std::vector<Index> seen(static_cast<std::size_t>(rows));  // the line that has the row; 0: none yet
    RowSplit& split = splits.emplace_back();
    read_list(lines[i].first, lines[i].second, path.string(), seen, split.train);
    read_list(lines[i + 1].first, lines[i + 1].second, path.string(), seen, split.test);
  }
  return splits;
}

bool covers_all(const RowSplit& split, Index rows) {
  return static_cast<Index>(split.train.size() + split.test.size()) == rows;  // no row is in both lists, or twice
}

}  // namespace ansatz
