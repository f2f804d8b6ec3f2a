// Which input features weigh most, as tables of a page. Internal to viz/.
#pragma once

#include <string>
#include <vector>

#include "core/record/run_record.h"

namespace ansatz::viz {

/// Share of the trace and rank of the largest diagonal entries, a pair of columns a matrix; below it the same of
/// variables, where there are one-hot columns. `labels`: HTML, one a matrix.
std::string diagonal_tables(const std::vector<std::string>& labels, const FeatureRanking& ranking);

/// The largest loadings of the leading eigenvectors, a table each, folded up. Empty where there are none.
std::string loading_tables(const std::vector<std::string>& labels, const FeatureRanking& ranking);

}  // namespace ansatz::viz
