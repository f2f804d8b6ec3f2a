// Which of a sweep's many numbers tables and pictures show: those of the test rows, and how alike the features are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/record/sweep/sweep_record.h"

namespace ansatz {

struct SweepMember {
  std::string label;       ///< "network"
  std::size_t number = 0;  ///< of SweepRecord::numbers
};

/// Numbers that belong beside each other.
struct SweepFamily {
  std::string name;                        ///< for files: "scores"
  std::string title;                       ///< with the unit: "test accuracy (%)"
  double unit = 1;                         ///< values are shown divided by it: 0.01 for percent
  bool one_scale = true;                   ///< all of them may share an axis
  std::vector<SweepMember> members;        ///< at least one
  std::optional<double> of_constant = {};  ///< of scores: what a constant has, where that is known (R²: 0)

  /// Of a table's column: "network, test R²"; where labels say it all, they alone.
  std::string heading(const SweepMember& member) const;
};

/// Scores of all models (accuracy where there is any, else R²; on test rows, or validation rows without any), the
/// likeness of network and RFM beside that of the initial network, and an experiment's findings. Empty: no cell is
/// done, or the experiment has none of these.
std::vector<SweepFamily> families_of(const SweepRecord& sweep);

}  // namespace ansatz
