// What a sweep found: the numbers of one experiment at every combination of some values of its config, as plain values.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/record/run_record.h"
#include "core/statistics/spread.h"

namespace ansatz {

/// One key of the config with the values that it takes, or several keys that change together.
struct SweepAxis {
  std::vector<std::string> keys;                 ///< "network.hidden_layers"
  std::vector<std::vector<std::string>> values;  ///< a place each: one value a key, as YAML
  bool logarithmic = false;                      ///< spaced so

  std::string name() const;  ///< of all its keys: "dataset.noise, rfm.ridge"
  std::string text(
      std::size_t place) const;  ///< "0.1, 1e-3"; of a mapping the file or the name in it, if no other is called so
};

enum class SweepStatus { done, failed, missing };
std::string name_of(SweepStatus status);  ///< "done", "failed", "missing"

/// One seed of a cell.
struct SweepRun {
  std::uint64_t seed = 0;
  SweepStatus status = SweepStatus::missing;
  std::string failure;               ///< why it failed; of a missing one what is known of it, or nothing
  std::vector<double> numbers = {};  ///< one for each of SweepRecord::numbers (NaN: it has none), or empty if not done
  double seconds = 0;                ///< that it took; 0 if not done
};

/// One combination of values.
struct SweepCell {
  std::vector<std::size_t> places;    ///< one an axis: which of its values
  std::vector<SweepRun> runs;         ///< one a seed
  std::vector<std::string> warnings;  ///< of its runs: what is to be known before any number

  SweepStatus status() const;   ///< failed if a run failed, else missing if a run is
  std::string failure() const;  ///< of the first run that is not done
};

/// A number over the seeds of a cell.
struct SweepValue {
  Spread spread;  ///< over the seeds that have it
  /// sd / sqrt(seeds); NaN of a single seed.
  double standard_error = std::numeric_limits<double>::quiet_NaN();
};

struct SweepRecord {
  std::string experiment, name;
  NamedTexts conventions;
  std::optional<ConfigValue> config;  ///< resolved, with the section `sweep`
  std::vector<SweepAxis> axes;
  std::vector<std::string> numbers;  ///< names as in RepeatsRecord::summary, in the order in which runs have them
  std::vector<SweepCell> cells;      ///< in the order of the grid: the last axis runs fastest
  std::vector<Figure> figures = {};  ///< in images/

  std::string label(std::size_t cell) const;     ///< "003": its folder in cells/
  std::string describe(std::size_t cell) const;  ///< "rfm.ridge=0.1, rfm.bandwidth=5"
  SweepValue value(std::size_t cell, std::size_t number) const;
  std::size_t count(SweepStatus status) const;  ///< of cells
  std::size_t runs() const;                     ///< of all cells
};

/// The folder of a cell: its number with as many digits as the last one has, at least three.
std::string sweep_label(std::size_t cell, std::size_t cells);

/// Mean, deviation and standard error of the numbers that are finite.
SweepValue sweep_value(const std::vector<double>& numbers);

}  // namespace ansatz
