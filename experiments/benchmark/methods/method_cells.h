// From a method's section to the options of each of its cells, and the search over them that most methods do.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/config/config.h"
#include "core/data/metrics.h"
#include "experiments/benchmark/methods/method.h"
#include "experiments/options/grid.h"
#include "experiments/options/options.h"

namespace ansatz::experiments {

/// A method's section of the config: benchmark.methods.<number>.
struct MethodSection {
  Config root;             ///< of the whole document
  std::size_t number = 0;  ///< in the list benchmark.methods
  std::string name;        ///< of the method, in tables and errors
  Precision precision = Precision::float32;

  Config section() const;
};

/// Calls `parse` with the section with each cell's values of its `tune`, and requires that it has read all keys but
/// name, kind and tune. ConfigError, naming the cell, if it refuses one. No cell, and no call, without `tune`.
Grid parse_method_grid(const MethodSection& method, const std::function<void(const Config& cell)>& parse);

/// The options of a method, cell by cell.
template <class Options>
struct MethodCells {
  std::string name;
  Precision precision = Precision::float32;
  Grid grid;
  std::vector<Options> options;  ///< one a cell

  const Options& chosen(const MethodChoice& choice) const {
    return options[static_cast<std::size_t>(choice.tuning.chosen)];
  }
};

/// One cell, the section as it stands, without `tune`. `parse`: (const Config&) -> Options, which reads all keys but
/// name, kind and tune. ConfigError if it refuses a cell.
template <class Options, class Parse>
MethodCells<Options> parse_cells(const MethodSection& method, Parse parse) {
  MethodCells<Options> cells{method.name, method.precision, {}, {}};
  const Options as_it_stands = parse(method.section());
  cells.grid = parse_method_grid(method, [&](const Config& cell) { cells.options.push_back(parse(cell)); });
  if (cells.options.empty()) cells.options.push_back(as_it_stands);
  return cells;
}

/// Whether `candidate` is better than `best`, strictly: a classification by accuracy alone, a regression by its error.
/// Whoever asks in the order of the search so keeps the first of equals.
bool better_on_selection(const Metrics& candidate, const Metrics& best);

/// The record of a search before any cell is scored.
TuningRecord begin_tuning(const std::string& name, const Grid& grid);

/// Scores every cell in its order. One that ends in a NumericalError is noted as failed and not chosen; NumericalError
/// if all do. Throws Interrupted between cells.
TuningRecord search_cells(const std::string& name, const Grid& grid,
                          const std::function<Metrics(std::size_t cell)>& score);

}  // namespace ansatz::experiments
