#include "experiments/sweeps/sweep_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/text_table.h"
#include "core/record/sweep/sweep_families.h"
#include "experiments/stages/run_context.h"

namespace ansatz::experiments {
namespace {

std::string estimate(const SweepValue& value, double unit) {
  if (value.spread.values.empty()) return "-";
  const std::string mean = fmt::format("{:.4g}", value.spread.mean / unit);
  return std::isfinite(value.standard_error) ? mean + fmt::format(" ± {:.2g}", value.standard_error / unit) : mean;
}

/// Each warning once, behind the cells that have it.
std::string warnings_text(const SweepRecord& sweep) {
  std::map<std::string, std::string> cells;
  for (std::size_t i = 0; i < sweep.cells.size(); ++i)
    for (const std::string& warning : sweep.cells[i].warnings) {
      std::string& labels = cells[warning];
      if (labels.size() < sweep.label(i).size() ||
          labels.substr(labels.size() - sweep.label(i).size()) != sweep.label(i))
        labels += (labels.empty() ? "" : ", ") + sweep.label(i);
    }
  std::string text;
  for (const auto& [warning, labels] : cells) text += "cells " + labels + ": " + warning + "\n";
  return text;
}

}  // namespace

std::string describe_sweep(const SweepConfig& sweep, double flops_rate, std::size_t width) {
  std::vector<std::vector<std::string>> rows;
  double flops = 0, largest = 0;
  Index runs = 0;
  for (const CellConfig& cell : sweep.cells) {
    const double own = static_cast<double>(cell.config.common.repeats) * cell.plan.flops();
    flops += own;
    runs += cell.config.common.repeats;
    largest = std::max(largest, cell.plan.peak_bytes());
    rows.push_back({cell.label, cell.values, fmt::format("{}", cell.config.common.repeats),
                    fmt::format("{:.1f}", own / 1e9), format_bytes(cell.plan.peak_bytes()),
                    fmt::format("{}", cell.config.common.threads)});
  }
  return text_table({{"cell", true}, {"values", true}, {"seeds"}, {"Gflop"}, {"memory"}, {"threads"}}, std::move(rows),
                    width) +
         fmt::format(
             "\n{} cells, {} runs: {:.1f} Gflop, about {} and the start of {} processes; at most {} of memory a "
             "cell\n",
             sweep.cells.size(), runs, flops / 1e9, format_seconds(flops / flops_rate), sweep.cells.size(),
             format_bytes(largest));
}

std::string sweep_table(const SweepRecord& sweep, std::size_t width) {
  std::vector<TextColumn> columns = {{"cell", true}};
  for (const SweepAxis& axis : sweep.axes) columns.push_back({axis.name()});
  const std::vector<SweepFamily> families = families_of(sweep);
  for (const SweepFamily& family : families)
    for (const SweepMember& member : family.members)
      columns.push_back({family.heading(member), false, static_cast<int>(columns.size())});
  std::vector<std::vector<std::string>> rows;
  for (std::size_t cell = 0; cell < sweep.cells.size(); ++cell) {
    rows.push_back({sweep.label(cell)});
    for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis)
      rows.back().push_back(sweep.axes[axis].text(sweep.cells[cell].places[axis]));
    const SweepStatus status = sweep.cells[cell].status();
    for (const SweepFamily& family : families)
      for (const SweepMember& member : family.members)
        rows.back().push_back(status == SweepStatus::done ? estimate(sweep.value(cell, member.number), family.unit)
                                                          : name_of(status));
  }
  return text_table(std::move(columns), std::move(rows), width) + warnings_text(sweep);
}

std::string cells_with(const SweepRecord& sweep, SweepStatus status) {
  std::string labels;
  for (std::size_t cell = 0; cell < sweep.cells.size(); ++cell)
    if (sweep.cells[cell].status() == status) labels += (labels.empty() ? "" : ", ") + sweep.label(cell);
  if (labels.empty()) return "";
  const std::size_t count = sweep.count(status);
  return fmt::format("{} of {} cells {} {}: {}", count, sweep.cells.size(),
                     status == SweepStatus::failed ? "have"
                     : count == 1                  ? "is"
                                                   : "are",
                     name_of(status), labels);
}

}  // namespace ansatz::experiments
