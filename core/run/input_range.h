// Whether new rows look like the training rows: a model says nothing about inputs far from any that it has seen, and
// another unit, decimal mark or column is the usual reason for such.
#pragma once

#include <string>
#include <vector>

#include "core/data/transform/input_transform.h"

namespace ansatz {

/// The extremes of each of d inputs over the training rows, as models see them. Empty: not known.
struct InputRange {
  InputTransform::Row low, high;
};

template <class Scalar>
InputRange range_of(const Matrix<Scalar>& inputs);

/// A sentence for each input (of many the first) of new rows (n x d, as models see them) of which values lie beyond the
/// range by more than its width, or of which more than half of at least five values lie outside of it. Values are given
/// as in the file, columns by the table's names or by number. None where the range is not known.
template <class Scalar>
std::vector<std::string> unfamiliar_inputs(const Matrix<Scalar>& inputs, const InputRange& range,
                                           const InputTransform& transform);

}  // namespace ansatz
