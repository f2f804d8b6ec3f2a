// How the values of some options were chosen on the validation rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/data/metrics.h"

namespace ansatz {

struct TuningAxis {
  std::string key;                  ///< of the config
  std::vector<std::string> values;  ///< as the config would state them
  bool logarithmic = false;         ///< spaced so
};

struct TuningCell {
  std::vector<std::string> values;    ///< one an axis
  std::optional<Metrics> validation;  ///< none: it failed
  std::string failure;                ///< why
  double seconds = 0;
};

struct TuningRecord {
  std::string model;
  std::vector<TuningAxis> axes;
  std::vector<TuningCell> cells;  ///< the last axis runs fastest
  Index chosen = 0;               ///< cell

  const TuningCell& chosen_cell() const { return cells[static_cast<std::size_t>(chosen)]; }
};

}  // namespace ansatz
