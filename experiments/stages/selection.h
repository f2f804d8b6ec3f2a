// Choosing among several results by the validation rows.
#pragma once

#include <optional>
#include <vector>

#include "core/data/metrics.h"

namespace ansatz::experiments {

/// Which result is best: of a classification by accuracy and then by mse, of a regression by its selection_error(); of
/// equal ones the first. None where there is no result at all.
std::optional<std::size_t> best_on_validation(const std::vector<std::optional<Metrics>>& results);

}  // namespace ansatz::experiments
