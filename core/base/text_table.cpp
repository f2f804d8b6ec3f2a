#include "core/base/text_table.h"

#include <algorithm>
#include <numeric>

#include "core/base/fold.h"

namespace ansatz {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr std::size_t kGap = 2, kLeastWords = 20;

std::vector<std::size_t> natural_widths(const std::vector<TextColumn>& columns, const Rows& rows) {
  std::vector<std::size_t> widths;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    widths.push_back(display_width(columns[j].head));
    for (const auto& row : rows) widths.back() = std::max(widths.back(), display_width(row[j]));
  }
  return widths;
}

std::size_t total(const std::vector<std::size_t>& widths) {
  return std::accumulate(widths.begin(), widths.end(), kGap * (widths.size() - 1));
}

/// Takes from the widest column of words until the table fits, or no column can give more.
std::vector<std::size_t> fitted_widths(const std::vector<TextColumn>& columns, std::vector<std::size_t> widths,
                                       std::size_t width) {
  while (total(widths) > width) {
    std::size_t widest = columns.size();
    for (std::size_t j = 0; j < columns.size(); ++j)
      if (columns[j].words && widths[j] > kLeastWords && (widest == columns.size() || widths[j] > widths[widest]))
        widest = j;
    if (widest == columns.size()) break;
    --widths[widest];
  }
  return widths;
}

/// Leaves out the column that can best be spared; its head, or empty if there is none.
std::string leave_out_one(std::vector<TextColumn>& columns, Rows& rows) {
  const auto spared = std::max_element(columns.begin(), columns.end(),
                                       [](const TextColumn& a, const TextColumn& b) { return a.spare < b.spare; });
  if (spared->spare == 0) return "";
  const std::string head = spared->head;
  for (auto& row : rows) row.erase(row.begin() + (spared - columns.begin()));
  columns.erase(spared);
  return head;
}

/// One row of the table: as many lines as its longest cell takes.
std::string lines_of(const std::vector<std::string>& row, const std::vector<TextColumn>& columns,
                     const std::vector<std::size_t>& widths) {
  std::vector<std::vector<std::string>> cells;
  std::size_t height = 1;
  for (std::size_t j = 0; j < row.size(); ++j) {
    cells.push_back(columns[j].words ? folded(row[j], widths[j], 2) : std::vector{row[j]});
    height = std::max(height, cells.back().size());
  }
  std::string text;
  for (std::size_t i = 0; i < height; ++i) {
    std::string line;
    for (std::size_t j = 0; j < cells.size(); ++j) {
      const std::string cell = i < cells[j].size() ? cells[j][i] : "";
      const std::string space(widths[j] - std::min(widths[j], display_width(cell)), ' ');
      line += (j == 0 ? "" : std::string(kGap, ' ')) + (columns[j].words ? cell + space : space + cell);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return text;
}

}  // namespace

std::string text_table(std::vector<TextColumn> columns, std::vector<std::vector<std::string>> rows, std::size_t width) {
  std::vector<std::string> left_out;
  std::vector<std::size_t> widths = natural_widths(columns, rows);
  while (width > 0) {
    widths = fitted_widths(columns, natural_widths(columns, rows), width);
    if (total(widths) <= width) break;
    const std::string head = leave_out_one(columns, rows);
    if (head.empty()) break;
    left_out.push_back(head);
  }
  std::vector<std::string> heads;
  for (const TextColumn& column : columns) heads.push_back(column.head);
  std::string text = lines_of(heads, columns, widths);
  for (const auto& row : rows) text += lines_of(row, columns, widths);
  for (std::size_t i = 0; i < left_out.size(); ++i)
    text += (i == 0 ? "(a wider terminal also shows: " : ", ") + left_out[i];
  return left_out.empty() ? text : text + ")\n";
}

}  // namespace ansatz
