#include "experiments/results/tuning_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/text_table.h"
#include "core/record/headline.h"
#include "core/record/tuning/tuning_remarks.h"

namespace ansatz::experiments {
namespace {

constexpr std::size_t kMostRows = 40;

std::string score(const TuningCell& cell) {
  if (!cell.validation) return "failed";
  const Metrics& metrics = *cell.validation;
  return metrics.accuracy ? fmt::format("{:.2f} %", 100 * *metrics.accuracy)
                          : fmt::format("{:.5g}", metrics.selection_error());
}

bool better(const TuningCell& a, const TuningCell& b) {
  if (!a.validation || !b.validation) return a.validation && !b.validation;
  return !at_least_as_good(*b.validation, *a.validation);
}

}  // namespace

std::string tuning_table(const TuningRecord& tuning, std::size_t width) {
  std::vector<const TuningCell*> rows;
  for (const TuningCell& cell : tuning.cells) rows.push_back(&cell);
  const std::size_t left_out = rows.size() > kMostRows ? rows.size() - kMostRows : 0;
  if (left_out > 0) {
    std::stable_sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) { return better(*a, *b); });
    rows.resize(kMostRows);
  }
  const std::optional<Metrics>& chosen = tuning.chosen_cell().validation;
  const bool classes = chosen && chosen->accuracy, standardized = chosen && chosen->standardized_mse;
  std::vector<TextColumn> columns;
  for (const TuningAxis& axis : tuning.axes) columns.push_back({axis.key, true});
  columns.push_back({classes ? "validation" : standardized ? "val. MSE/var" : "val. MSE"});
  columns.push_back({"seconds", false, 1});
  columns.push_back({"", true});
  std::vector<std::vector<std::string>> cells;
  for (const TuningCell* cell : rows) {
    cells.push_back(cell->values);
    for (const std::string& text : {score(*cell), fmt::format("{:.2f}", cell->seconds),
                                    std::string(cell == &tuning.chosen_cell() ? "chosen" : "")})
      cells.back().push_back(text);
  }
  std::string text = "\n";
  for (const std::string& remark : tuning_remarks(tuning)) text += remark + "\n";
  text += text_table(std::move(columns), std::move(cells), width);
  if (left_out > 0) text += fmt::format("and {} worse ones\n", left_out);
  const std::string edges = tuning_edges(tuning);
  return edges.empty() ? text : text + edges.substr(0, edges.size() - 1) + "\n";
}

}  // namespace ansatz::experiments
