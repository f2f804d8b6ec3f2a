#include "experiments/sweeps/sweep_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/machine/memory.h"
#include "core/machine/parallel.h"
#include "experiments/jobs/job_pool.h"

namespace ansatz::experiments {
namespace {

/// Those that the sweep itself sets, or that would put one cell in the place of another.
const std::vector<std::string> kOwnKeys = {"name", "report", "sweep"};

/// "dataset.train_size, network.epochs" as two.
std::vector<std::string> keys_of(const std::string& axis) {
  std::vector<std::string> keys;
  for (std::size_t at = 0; at <= axis.size();) {
    const std::size_t comma = std::min(axis.find(',', at), axis.size());
    const std::size_t first = axis.find_first_not_of(' ', at), last = axis.find_last_not_of(' ', comma - 1);
    keys.push_back(first < comma ? axis.substr(first, last - first + 1) : "");
    at = comma + 1;
  }
  return keys;
}

SweepAxis axis_of(const Config& section, const GridAxis& grid) {
  SweepAxis axis{keys_of(grid.key), {}, grid.logarithmic};
  for (const std::string& key : axis.keys)
    if (std::find(kOwnKeys.begin(), kOwnKeys.end(), key.substr(0, key.find('.'))) != kOwnKeys.end() || key.empty())
      section.fail("", (key.empty() ? "an empty key" : key) + " cannot be swept: cells are named and reported by it");
  for (const std::string& value : grid.values) {
    axis.values.push_back({value});
    if (axis.keys.size() == 1) continue;
    const Config list = Config::from_string("values: " + value);
    axis.values.back() = list.is_list("values") ? list.get_values("values") : std::vector<std::string>();
    if (axis.values.back().size() != axis.keys.size())
      section.fail("", fmt::format("{} are {} keys: each of their values must be a list of as many, is {}", axis.name(),
                                   axis.keys.size(), value));
  }
  return axis;
}

void require_different_keys(const Config& section, const std::vector<SweepAxis>& axes) {
  std::vector<std::string> seen;
  for (const SweepAxis& axis : axes)
    for (const std::string& key : axis.keys) {
      if (std::find(seen.begin(), seen.end(), key) != seen.end()) section.fail("", key + " is there twice");
      seen.push_back(key);
    }
}

/// Where the cell's values stand on the axes.
std::vector<std::size_t> places_of(const Grid& grid, Index cell) {
  std::vector<std::size_t> places;
  const std::vector<std::string> values = grid.values(cell);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::vector<std::string>& all = grid.axes[i].values;
    places.push_back(static_cast<std::size_t>(std::find(all.begin(), all.end(), values[i]) - all.begin()));
  }
  return places;
}

std::vector<std::string> assignments_of(const std::vector<SweepAxis>& axes, const std::vector<std::size_t>& places) {
  std::vector<std::string> assignments;
  for (std::size_t i = 0; i < axes.size(); ++i)
    for (std::size_t key = 0; key < axes[i].keys.size(); ++key)
      assignments.push_back(axes[i].keys[key] + "=" + axes[i].values[places[i]][key]);
  return assignments;
}

double largest_bytes(const std::vector<CellConfig>& cells) {
  double largest = 1;
  for (const CellConfig& cell : cells) largest = std::max(largest, cell.plan.peak_bytes());
  return largest;
}

/// Threads of a cell where the config leaves them open: all, shared by the cells that fit into memory side by side.
/// They do not follow from how many run at a time, which so changes no digit of the results.
int threads_of_cells(const std::vector<CellConfig>& cells) {
  const double fit = std::max(1.0, std::floor(kShareOfMemory * available_memory() / largest_bytes(cells)));
  const double together = std::min({fit, static_cast<double>(cells.size()), static_cast<double>(threads())});
  return std::max(1, threads() / static_cast<int>(together));
}

class Cells {
 public:
  Cells(const Config& root, const SweepConfig& sweep, const CheckConfig& check)
      : root_(root), sweep_(sweep), check_(check) {}

  std::vector<CellConfig> from_grid() const {
    std::vector<CellConfig> cells = named_cells();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      cells[i].config = in_cell(cells[i], [&] { return check_(config_of(cells[i], i, {}), cells[i].label); });
      cells[i].plan = in_cell(cells[i], [&] { return cells[i].config.plan(); });
    }
    const std::string threads = fmt::format("threads={}", threads_of_cells(cells));
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (cells[i].config.common.threads == 0)
        cells[i].config = check_(config_of(cells[i], i, {threads}), cells[i].label);
    return cells;
  }

  std::vector<CellConfig> from_texts(const std::vector<std::string>& texts) const {
    std::vector<CellConfig> cells = named_cells();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string file = "cells/" + cells[i].label + ".yaml";
      cells[i].config = check_(Config::from_string(texts[i], file), cells[i].label);
      cells[i].plan = in_cell(cells[i], [&] { return cells[i].config.plan(); });
    }
    return cells;
  }

 private:
  std::vector<CellConfig> named_cells() const {
    std::vector<CellConfig> cells;
    for (std::size_t i = 0; i < sweep_.places.size(); ++i) {
      std::string values;
      for (const std::string& assignment : assignments_of(sweep_.axes, sweep_.places[i]))
        values += (values.empty() ? "" : ", ") + assignment;
      cells.push_back({sweep_label(i, sweep_.places.size()), values, {}, {}});
    }
    return cells;
  }

  Config config_of(const CellConfig& cell, std::size_t number, const std::vector<std::string>& more) const {
    std::vector<std::string> assignments = assignments_of(sweep_.axes, sweep_.places[number]);
    assignments.insert(assignments.end(),
                       {"sweep=null", "report=false", "name=" + sweep_.whole.common.name + "-" + cell.label});
    assignments.insert(assignments.end(), more.begin(), more.end());
    const Config config = root_.with(assignments, root_.where("sweep"));
    config.has("sweep");  // so that it may stand there as null
    return config;
  }

  const Config& root_;
  const SweepConfig& sweep_;
  const CheckConfig& check_;
};

}  // namespace

Index cells_at_once(const SweepConfig& sweep, Index jobs) {
  int most_threads = 1;
  for (const CellConfig& cell : sweep.cells) most_threads = std::max(most_threads, cell.config.common.threads);
  const double fit = std::floor(kShareOfMemory * available_memory() / largest_bytes(sweep.cells));
  const double together =
      std::min({fit, static_cast<double>(threads() / most_threads), static_cast<double>(sweep.cells.size())});
  return jobs > 0 ? jobs : std::max<Index>(1, static_cast<Index>(together));
}

SweepConfig parse_sweep(const Config& root, const std::string& default_name, const std::vector<std::string>& frozen,
                        const CheckConfig& check) {
  const Config section = root.section("sweep");
  if (!section.present())
    root.fail("", "has no section sweep; write for example sweep: {rfm.ridge: {log: [1e-6, 1, 7]}}");
  const Grid grid = parse_grid(section);
  SweepConfig sweep;
  for (const GridAxis& axis : grid.axes) sweep.axes.push_back(axis_of(section, axis));
  require_different_keys(section, sweep.axes);
  for (Index cell = 0; cell < grid.cells(); ++cell) sweep.places.push_back(places_of(grid, cell));
  sweep.whole = check(root, default_name);
  const Cells cells(root, sweep, check);
  sweep.cells = frozen.size() == sweep.places.size() ? cells.from_texts(frozen) : cells.from_grid();
  return sweep;
}

}  // namespace ansatz::experiments
