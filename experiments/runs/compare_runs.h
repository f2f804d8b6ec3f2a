// `ansatz compare RUN...`: finished runs beside one another, and the feature matrices that they have in common.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "core/data/dataset.h"

namespace ansatz::experiments {

struct CompareRunsOptions {
  std::vector<std::filesystem::path> runs;
  std::optional<ImageShape> shape;  ///< of the inputs; none: as the runs say
  Index top = 3;                    ///< eigenvectors to compare
  std::filesystem::path out;  ///< folder for the figures, or the file of the curves, beside which the others go; empty:
                              ///< none are drawn
  bool json = false;
  std::size_t columns = 0;  ///< of the terminal, to which notes are folded; 0: a line each
};

/// Prints the tables of viz/report/runs_tables.h, then each matrix compared with that of the first run that has one of
/// its name and size. DataError if a folder is no finished run; OutputError, ConfigError before hours of work.
void compare_runs(const CompareRunsOptions& options);

}  // namespace ansatz::experiments
