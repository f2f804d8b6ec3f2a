// Features that should not matter but do: paste a stranger's eyes where the RFM looks, and a network is fooled (paper,
// Section 4.4 and Fig. 9).
#pragma once

#include "experiments/experiment.h"

namespace ansatz::experiments {

/// Section spurious_features: `attributes` (parts on dataset celeba); `threshold`; `template`, an attribute; and for
/// each part a mapping of its name: `excluded`, `compared` (regions), `label`. The mask is where the RFM's diagonal
/// exceeds the threshold, without `excluded`: where the attribute itself is. The template is the first test image, in
/// the order of list_attr_celeba.txt, that has the attribute `template` and lacks the task's. Its pixels are pasted
/// into all test images at the mask, at `compared`, or, as a control, at as many random places as the mask has; then
/// the images are normalised as those the models were trained on. Findings, a part each: test accuracies of network and
/// RFM, the points each loses by each pasting, recall before and after the mask, r of the diagonals, sizes of the mask
/// and of the region. Figures: diagonals and mask; images before and after (people: they stay in the run's folder);
/// accuracies. pasting.csv: the same in numbers.
PreparedExperiment prepare_spurious_features(const Config& root, const CommonOptions& common);

}  // namespace ansatz::experiments
