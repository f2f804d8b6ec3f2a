#include "experiments/results/tuning_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/record/headline.h"

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

std::string tuning_table(const TuningRecord& tuning) {
  std::vector<const TuningCell*> rows;
  for (const TuningCell& cell : tuning.cells) rows.push_back(&cell);
  const std::size_t left_out = rows.size() > kMostRows ? rows.size() - kMostRows : 0;
  if (left_out > 0) {
    std::stable_sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) { return better(*a, *b); });
    rows.resize(kMostRows);
  }
  std::string text = "\n";
  for (const TuningAxis& axis : tuning.axes) text += fmt::format("{:<24} ", axis.key);
  const std::optional<Metrics>& chosen = tuning.chosen_cell().validation;
  const bool classes = chosen && chosen->accuracy, standardized = chosen && chosen->standardized_mse;
  text += fmt::format("{:>12} {:>9}\n", classes ? "validation" : standardized ? "val. MSE/var" : "val. MSE", "seconds");
  for (const TuningCell* cell : rows) {
    for (const std::string& value : cell->values) text += fmt::format("{:<24} ", value);
    text += fmt::format("{:>12} {:>9.2f}{}\n", score(*cell), cell->seconds,
                        cell == &tuning.chosen_cell() ? "   chosen" : "");
  }
  if (left_out > 0) text += fmt::format("and {} worse ones\n", left_out);
  const std::string edges = tuning_edges(tuning);
  return edges.empty() ? text : text + edges.substr(0, edges.size() - 1) + "\n";
}

}  // namespace ansatz::experiments
