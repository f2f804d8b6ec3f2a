// Cells of a random search: each draws a value for every key.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "experiments/options/grid.h"

namespace ansatz::experiments {

/// How the values of a key are drawn: one of `choices`, or between two bounds.
struct DrawnAxis {
  std::string key;
  std::vector<std::string> choices;
  std::vector<std::string> bounds;  ///< low and high: a number each, or the key of an axis before this one
  bool logarithmic = false;         ///< the logarithm is uniform
  std::string where;                ///< in the config, for messages
};

/// At most `trials` cells, no two alike; fewer where there are no more. Cell i is the same for any number of trials.
/// ConfigError naming an axis of which a bound is neither a number nor a key before it, or whose bounds leave nothing
/// between them.
std::vector<std::vector<std::string>> draw_cells(const std::vector<DrawnAxis>& axes, Index trials, RandomStream stream);

/// The values that an axis (its number is `axis`) has in the cells: those it chose from in their order, others
/// ascending.
GridAxis values_drawn(const DrawnAxis& drawn, const std::vector<std::vector<std::string>>& cells, std::size_t axis);

/// Six digits, or the whole number that it is.
std::string rounded(double value);
/// The number that the whole text is.
std::optional<double> number_in(const std::string& text);

}  // namespace ansatz::experiments
