// The few coordinates an RFM looks at suffice: prune the others, train again (paper, Section 4.1 and Fig. 6).
#pragma once

#include "experiments/experiment.h"

namespace ansatz::experiments {

/// Section lottery_tickets: `attributes` (parts on dataset celeba) or the list `parts`; `threshold`, and `thresholds`
/// for the curve. RFM-T is the RFM's own kernel, bandwidth and ridge on the coordinates kept, rows brought back to
/// length 1 where the data set is unit_norm. Findings, a part each: share of coordinates and of pixels kept, test
/// accuracies of the RFM, of RFM-T, their difference, and of as many coordinates drawn at random. Figures: the
/// diagonals before and after (Fig. 6), test accuracy against the share kept. sweep.csv: the curve's numbers.
PreparedExperiment prepare_lottery_tickets(const Config& root, const CommonOptions& common);

}  // namespace ansatz::experiments
