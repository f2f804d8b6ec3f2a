// Values for keys of a config that are to be tried: each cell is one choice of a value for every key. They are all
// combinations of a grid, or draws of a random search.
#pragma once

#include <string>
#include <vector>

#include "core/config/config.h"

namespace ansatz::experiments {

struct GridAxis {
  std::string key;                  ///< "rfm.ridge"
  std::vector<std::string> values;  ///< as YAML
  bool logarithmic = false;         ///< spaced so
};

inline constexpr Index kMostCells = 10'000;

struct Grid {
  std::vector<GridAxis> axes;
  std::vector<std::vector<std::string>> drawn;  ///< of a random search: the cells, a value an axis; else empty

  Index cells() const;
  /// One value an axis. In a grid the last axis runs fastest: cells 0, 1, … differ in its values.
  std::vector<std::string> values(Index cell) const;
  std::vector<std::string> assignments(Index cell) const;  ///< "key=value", for Config::with()
  std::string describe(Index cell) const;                  ///< "rfm.ridge=0.1, rfm.bandwidth=5"
};

/// A section such as {rfm.bandwidth: [1, 2], rfm.ridge: {log: [1e-6, 1, 7]}, network.epochs: {linear: [10, 50, 5]}}: of
/// `log` and `linear`, first and last value and how many, rounded to six digits. Keys may also be nested: {rfm:
/// {bandwidth: [1, 2]}}. ConfigError where an axis is something else or has no value, a key comes twice, there is none,
/// or there are more than kMostCells cells.
///
/// With `search: random` there are `trials` cells (50), drawn by `seed` (0): of a list one of its values, of
/// {log_uniform: [low, high]} and {uniform: [low, high]} a number, rounded to six digits. A bound may be a key that
/// stands before it: {uniform: [exponent, 2]}. No two cells are equal. ConfigError if there are fewer different ones.
Grid parse_grid(const Config& section);

}  // namespace ansatz::experiments
