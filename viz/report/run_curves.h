// The courses of several runs over one another: a line a run.
#pragma once

#include <vector>

#include "core/run/finished_run.h"
#include "viz/plots/figures.h"

namespace ansatz::viz {

/// The network's training loss and score by epoch and the RFM's score by iteration, as far as some run has them; of a
/// run with `repeats` the means over its seeds. The score is accuracy where all runs have it, else R², on the test rows
/// where all runs know it, else on the validation rows, else on the training rows; the titles say which. Empty: no run
/// has a course.
std::vector<LinePlot> curves_of_runs(const std::vector<FinishedRun>& runs);

}  // namespace ansatz::viz
