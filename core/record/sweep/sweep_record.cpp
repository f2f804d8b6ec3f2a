#include "core/record/sweep/sweep_record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/config/config_value.h"

namespace ansatz {
namespace {

/// A mapping, such as a whole section `dataset`, by the file that it names, else by its name; other values as they are.
std::string called(const std::string& value) {
  if (value.empty() || value.front() != '{') return value;
  const Settings settings = settings_of(config_values(value, "sweep"));
  const auto find = [&](const std::string& key) {
    const auto found =
        std::find_if(settings.begin(), settings.end(), [&](const auto& one) { return one.first == key; });
    return found == settings.end() ? "" : found->second;
  };
  if (const std::filesystem::path path = find("path"); !path.stem().empty()) return path.stem().string();
  const std::string name = find("name");
  return name.empty() ? value : name;
}

std::string called(const std::vector<std::string>& values) {
  std::vector<std::string> texts;
  for (const std::string& value : values) texts.push_back(called(value));
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

std::string SweepAxis::name() const { return fmt::format("{}", fmt::join(keys, ", ")); }

std::string SweepAxis::text(std::size_t place) const {
  const std::string own = called(values[place]);
  const auto same =
      std::count_if(values.begin(), values.end(), [&](const auto& other) { return called(other) == own; });
  return same > 1 ? fmt::format("{}", fmt::join(values[place], ", ")) : own;
}

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
