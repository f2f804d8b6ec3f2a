// The rows that were drawn, read and brought to scale.
#pragma once

#include "core/data/loading/sampling.h"
#include "core/data/normalization.h"

namespace ansatz {

/// Reads the drawn rows and scales their inputs (a table's while they still are in double). Labels become one-hot. Says
/// the outline's announcements and warnings on the terminal, and which columns of a table lose their values in float32:
/// where rounding is more than 1/1000 of a column's standard deviation, or of the spread within its groups of values.
/// Throws DataError where it is more than a tenth of a target's, whose scores would mean nothing.
template <class Scalar>
Split<Scalar> read_drawn(const DataSource& source, const DrawnRows& drawn, Normalization normalization);

}  // namespace ansatz
