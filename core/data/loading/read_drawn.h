// Reads the rows that were drawn and scales them.
#pragma once

#include "core/data/loading/sampling.h"
#include "core/data/normalization.h"

namespace ansatz {

/// Reads the drawn rows and scales their inputs and, of a regression, their targets as asked for (those of a table
/// while they are still in double). Labels become one-hot. Prints the outline's announcements and warnings on the
/// terminal. Warns of table columns that float32 rounds too much: by more than 1/1000 of the column's standard
/// deviation, or of the spread within its groups of values. Throws DataError if rounding is more than a tenth of a
/// target's standard deviation, since scores would then mean nothing.
template <class Scalar>
Split<Scalar> read_drawn(const RowSource& source, const DrawnRows& drawn, Normalization normalization,
                         TargetNormalization targets);

/// The scaling of the targets alone, for `ansatz plan`.
TargetScaling scaling_of_targets(const RowSource& source, const DrawnRows& drawn, TargetNormalization targets);

/// A sentence where `automatic` left the targets of a regression as they came; else "".
std::string left_as_they_came(const DataOutline& outline, TargetNormalization targets, const TargetScaling& scaling);

}  // namespace ansatz
