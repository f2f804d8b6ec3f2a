// `ansatz export RUN...`: the tables of the report, for other programs (CSV) and for papers (LaTeX).
#pragma once

#include <string>
#include <vector>

#include "core/run/finished_run.h"

namespace ansatz::experiments {

/// How well models predict; how alike features are; what an experiment found.
enum class ExportedTable { models, features, findings };

/// One header and a row a run, model and part of the data (or pair, or finding). Accuracy is a share, as in
/// metrics.json; behind every number is a column <name>_sd, empty for a run of one seed. Empty if no run has such rows.
std::string csv_table(ExportedTable table, const std::vector<FinishedRun>& runs);

/// A tabular by booktabs, on the test rows, with a column of runs where there are several; sd behind ± where there are
/// several seeds. Whatever names hold is set as text. Empty if no run has such rows.
std::string latex_table(ExportedTable table, const std::vector<FinishedRun>& runs);

}  // namespace ansatz::experiments
