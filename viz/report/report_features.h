// Which input features weigh most, in the report.
#pragma once

#include <string>

#include "core/record/run_record.h"

namespace ansatz::viz {

/// The largest diagonal entries by name: share of the trace and rank in each matrix; below them the sums over one-hot
/// columns, where there are any, and the loadings of the leading eigenvectors, folded up. Empty without a ranking.
std::string top_features_section(const RunRecord& record);

}  // namespace ansatz::viz
