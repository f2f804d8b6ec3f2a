// Class labels that are none: measured numbers, or a name for every row.
#pragma once

#include <vector>

#include "core/data/row_source.h"

namespace ansatz {

/// Throws DataError, with the way out, if the labels of these training rows (of a table or of arrays) are no classes
/// that could be learnt: if there are more than half as many different ones as rows, or more than ten of which some are
/// fractions. Up to five are never refused. Nothing if the outline has no labels.
void require_classes(const DataOutline& outline, const std::vector<Index>& train);

}  // namespace ansatz
