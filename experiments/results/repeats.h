// Mean and standard deviation over runs that differ in their seed only.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/record/repeats_record.h"

namespace ansatz::experiments {

/// The finite numbers of one run under the names of the summary: scores of its models, likenesses of its feature
/// matrices, of which that of network and RFM is also there as `headline`, whichever iteration of the RFM it is of, and
/// that of the initial network and the same RFM as `baseline`; of an experiment of parts its findings.
std::vector<std::pair<std::string, double>> numbers_of(const RunRecord& run);

/// Of experiments with findings also these, with mean and sd for the value (NaN if a run has none), judged by the mean.
RepeatsRecord summarize_repeats(const std::vector<RunRecord>& runs);

/// What the runs warn of, then the findings, or the tables of models and of feature matrices as the report has them. In
/// `width` columns of a terminal; 0: as wide as they are.
std::string repeats_table(const RepeatsRecord& record, const std::vector<RunRecord>& runs, std::size_t width);

}  // namespace ansatz::experiments
