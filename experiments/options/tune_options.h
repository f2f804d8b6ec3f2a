// The section `tune`: keys of one model, whose values are chosen on the validation rows.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "experiments/options/grid.h"
#include "experiments/options/options.h"

namespace ansatz::experiments {

enum class TunedModel { network, rfm, kernel_machine };
const char* section_of(TunedModel model);  ///< of the config, which the model's errors name

struct TuneOptions {
  TunedModel kind = TunedModel::rfm;
  std::size_t machine = 0;                      ///< of a kernel machine: which
  Grid grid;                                    ///< kernel machines by their numbers: kernel_machines.0.ridge
  std::vector<FeatureComparisonOptions> cells;  ///< the whole config with each cell's values

  std::string model() const;  ///< "network", "rfm", or the machine's label
};

/// How many different values part(cell) has among the cells.
template <class Part>
Index different(const TuneOptions& tune, Part part) {
  std::vector<std::decay_t<decltype(part(tune.cells.front()))>> values;
  for (const FeatureComparisonOptions& cell : tune.cells)
    if (std::find(values.begin(), values.end(), part(cell)) == values.end()) values.push_back(part(cell));
  return static_cast<Index>(values.size());
}

/// None without the section. Every cell's config is read and checked as a whole; ConfigError, naming the cell, if one
/// is refused; also if the keys are not of one model that the config has and fits itself. `base`: the config without
/// the section. Call when all other sections have been read: unknown keys are refused first.
std::optional<TuneOptions> parse_tune(const Config& root, const FeatureComparisonOptions& base);

}  // namespace ansatz::experiments
