// The section `sweep`: every combination of some values of the config as a config of its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/record/sweep/sweep_record.h"
#include "experiments/options/grid.h"
#include "experiments/options/options.h"
#include "experiments/plan.h"

namespace ansatz::experiments {

/// A config that has been read as a whole, unknown keys refused.
struct CheckedConfig {
  CommonOptions common;
  std::string yaml;  ///< resolved
  std::function<Plan()> plan;
};
/// Throws ConfigError. `default_name`: where the config has none.
using CheckConfig = std::function<CheckedConfig(const Config& config, const std::string& default_name)>;

struct CellConfig {
  std::string label;   ///< "003"
  std::string values;  ///< "rfm.ridge=0.1, rfm.bandwidth=5"
  CheckedConfig config;
  Plan plan;
};

struct SweepConfig {
  CheckedConfig whole;  ///< with the section `sweep`; its other sections are those of no cell
  std::vector<SweepAxis> axes;
  std::vector<std::vector<std::size_t>> places;  ///< of each cell, one an axis
  std::vector<CellConfig> cells;
};

/// Reads and plans every cell. A key of the section may be several keys with commas between them, whose values change
/// together: {"dataset.train_size, network.epochs": [[100, 50], [1000, 5]]}. A cell's threads are those that the config
/// states or, where it says 0, its share of all.
///
/// `frozen`: the cells' configs as a sweep that goes on has them; any other number of them than there are cells: none.
///
/// ConfigError, DataError and others that reading and planning throw, naming the cell; ConfigError if there is no
/// section `sweep`.
SweepConfig parse_sweep(const Config& root, const std::string& default_name, const std::vector<std::string>& frozen,
                        const CheckConfig& check);

/// What f() returns; an Error of a config, of data or of memory that it throws names the cell, and keeps its type.
template <class F>
auto in_cell(const CellConfig& cell, F&& f) {
  const auto named = [&](const Error& error) {
    return std::string(error.what()) + " (cell " + cell.label + ": " + cell.values + ")";
  };
  try {
    return f();
  } catch (const ConfigError& error) {
    throw ConfigError(named(error));
  } catch (const DataError& error) {
    throw DataError(named(error));
  } catch (const MemoryError& error) {
    throw MemoryError(named(error));
  }
}

/// How many cells run at a time: `jobs`, or, for 0, as many as have threads and fit into the free memory.
Index cells_at_once(const SweepConfig& sweep, Index jobs);

}  // namespace ansatz::experiments
