#include "experiments/benchmark/methods/method_cells.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/machine/interrupt.h"
#include "experiments/options/option_names.h"

namespace ansatz::experiments {
namespace {

Config section_of(const Config& root, std::size_t number) { return root.section("benchmark").list("methods")[number]; }

void parse_cell(const MethodSection& method, const Grid& grid, Index cell,
                const std::function<void(const Config&)>& parse) {
  const std::string path = fmt::format("benchmark.methods.{}.", method.number);
  std::vector<std::string> assignments;
  for (const std::string& assignment : grid.assignments(cell)) assignments.push_back(path + assignment);
  assignments.push_back(path + "tune=null");
  try {
    const Config config = method.root.with(assignments, method.section().where("tune"));
    const Config section = section_of(config, method.number);
    for (const char* key : {"name", "kind"}) section.get(key, "");
    section.has("tune");
    parse(section);
    section.finish();
    for (const std::string& note : config.notes()) method.root.note(note);
  } catch (const ConfigError& error) {
    throw ConfigError(std::string(error.what()) + " (with " + grid.describe(cell) + ")");
  }
}

/// These belong to the method itself, and to how it is told from others.
void refuse_own_keys(const Config& tune, const Grid& grid) {
  for (const GridAxis& axis : grid.axes)
    for (const char* key : {"name", "kind", "tune"})
      if (axis.key == key) tune.fail(key, "is no option of a method that could be tuned");
}

}  // namespace

Config MethodSection::section() const { return section_of(root, number); }

Grid parse_method_grid(const MethodSection& method, const std::function<void(const Config& cell)>& parse) {
  const Config section = method.section();
  if (!section.has("tune")) return {};
  const Config tune = section.section("tune");
  const Grid grid = parse_grid(tune);
  refuse_own_keys(tune, grid);
  for (Index cell = 0; cell < grid.cells(); ++cell) parse_cell(method, grid, cell, parse);
  return grid;
}

bool better_on_selection(const Metrics& candidate, const Metrics& best) {
  return best.accuracy ? *candidate.accuracy > *best.accuracy : candidate.selection_error() < best.selection_error();
}

TuningRecord search_cells(const std::string& name, const Grid& grid,
                          const std::function<Metrics(std::size_t cell)>& score) {
  TuningRecord record = begin_tuning(name, grid);
  const TuningCell* best = nullptr;
  for (std::size_t i = 0; i < record.cells.size(); ++i) {
    TuningCell& cell = record.cells[i];
    const Stopwatch watch;
    try {
      cell.validation = score(i);
    } catch (const NumericalError& error) {
      cell.failure = error.what();
    }
    cell.seconds = watch.seconds();
    if (cell.validation && (best == nullptr || better_on_selection(*cell.validation, *best->validation))) {
      best = &cell;
      record.chosen = static_cast<Index>(i);
    }
    throw_if_interrupted();
  }
  if (best == nullptr) throw NumericalError("every cell fails, the first with: " + record.cells.front().failure);
  return record;
}

TuningRecord begin_tuning(const std::string& name, const Grid& grid) {
  TuningRecord record;
  record.model = name;
  for (const GridAxis& axis : grid.axes) record.axes.push_back({axis.key, axis.values, axis.logarithmic});
  for (Index cell = 0; cell < grid.cells(); ++cell) record.cells.push_back({grid.values(cell), std::nullopt, "", 0});
  return record;
}

}  // namespace ansatz::experiments
