#include "core/record/sweep/sweep_record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace ansatz {

std::string SweepAxis::name() const { return fmt::format("{}", fmt::join(keys, ", ")); }

std::string SweepAxis::text(std::size_t place) const { return fmt::format("{}", fmt::join(values[place], ", ")); }

std::string name_of(SweepStatus status) {
  switch (status) {
    case SweepStatus::done:
      return "done";
    case SweepStatus::failed:
      return "failed";
    case SweepStatus::missing:
      break;
  }
  return "missing";
}

SweepStatus SweepCell::status() const {
  const auto any = [&](SweepStatus status) {
    return std::any_of(runs.begin(), runs.end(), [&](const SweepRun& run) { return run.status == status; });
  };
  return any(SweepStatus::failed)    ? SweepStatus::failed
         : any(SweepStatus::missing) ? SweepStatus::missing
                                     : SweepStatus::done;
}

std::string SweepCell::failure() const {
  for (const SweepRun& run : runs)
    if (run.status != SweepStatus::done && !run.failure.empty()) return run.failure;
  return "";
}

std::string SweepRecord::label(std::size_t cell) const { return sweep_label(cell, cells.size()); }

std::string SweepRecord::describe(std::size_t cell) const {
  std::string text;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t place = cells[cell].places[i];
    for (std::size_t key = 0; key < axes[i].keys.size(); ++key)
      text += (text.empty() ? "" : ", ") + axes[i].keys[key] + "=" + axes[i].values[place][key];
  }
  return text;
}

SweepValue SweepRecord::value(std::size_t cell, std::size_t number) const {
  std::vector<double> found;
  for (const SweepRun& run : cells[cell].runs)
    if (run.status == SweepStatus::done) found.push_back(run.numbers[number]);
  return sweep_value(found);
}

std::size_t SweepRecord::count(SweepStatus status) const {
  return static_cast<std::size_t>(
      std::count_if(cells.begin(), cells.end(), [&](const SweepCell& cell) { return cell.status() == status; }));
}

std::size_t SweepRecord::runs() const {
  std::size_t runs = 0;
  for (const SweepCell& cell : cells) runs += cell.runs.size();
  return runs;
}

std::string sweep_label(std::size_t cell, std::size_t cells) {
  const std::size_t digits = std::max<std::size_t>(3, std::to_string(cells - 1).size());
  return fmt::format("{:0{}}", cell, digits);
}

SweepValue sweep_value(const std::vector<double>& numbers) {
  std::vector<double> finite;
  for (const double number : numbers)
    if (std::isfinite(number)) finite.push_back(number);
  SweepValue value{spread_of(finite)};
  value.standard_error = value.spread.sd / std::sqrt(static_cast<double>(finite.size()));
  return value;
}

}  // namespace ansatz
