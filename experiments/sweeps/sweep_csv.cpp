#include "experiments/sweeps/sweep_csv.h"

#include <cmath>
#include <optional>

#include "core/files/csv_cell.h"

namespace ansatz::experiments {
namespace {

/// The seed has its column already.
template <class Visit>
void for_each_key(const SweepRecord& sweep, const Visit& visit) {
  for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis)
    for (std::size_t key = 0; key < sweep.axes[axis].keys.size(); ++key)
      if (sweep.axes[axis].keys[key] != "seed") visit(axis, key);
}

std::string row_of(const SweepRecord& sweep, std::size_t cell, const SweepRun& run) {
  std::string row = std::to_string(cell) + "," + std::to_string(run.seed);
  for_each_key(sweep, [&](std::size_t axis, std::size_t key) {
    row += "," + csv_cell(sweep.axes[axis].values[sweep.cells[cell].places[axis]][key]);
  });
  const bool done = run.status == SweepStatus::done;
  for (std::size_t number = 0; number < sweep.numbers.size(); ++number)
    row +=
        "," + csv_cell(done && std::isfinite(run.numbers[number]) ? std::optional(run.numbers[number]) : std::nullopt);
  return row + "," + csv_cell(done ? std::optional(run.seconds) : std::nullopt) + "," + name_of(run.status) + "\n";
}

}  // namespace

std::string sweep_csv(const SweepRecord& sweep) {
  std::string text = "cell,seed";
  for_each_key(sweep, [&](std::size_t axis, std::size_t key) { text += "," + csv_cell(sweep.axes[axis].keys[key]); });
  for (const std::string& number : sweep.numbers) text += "," + csv_cell(number);
  text += ",seconds,status\n";
  for (std::size_t cell = 0; cell < sweep.cells.size(); ++cell)
    for (const SweepRun& run : sweep.cells[cell].runs) text += row_of(sweep, cell, run);
  return text;
}

}  // namespace ansatz::experiments
