// Where numbers and their squares stay within a scalar type's range.
#pragma once

#include "core/base/matrix.h"

namespace ansatz::rfm {

/// 1, or, where `size` is so far from 1 that its square may leave Scalar's range, the power of two next to it: dividing
/// by that changes no digit. 1 for a size of 0 or one that is not finite.
template <class Scalar>
double range_unit(double size);

/// The row that distances are taken from: the mean of x (n x d), summed in double. Where few huge values hold the mean
/// more than 100 typical distances away from most rows, of which float32 would then leave nothing, or it overflows: the
/// median, column by column, of up to 65 rows. 0 in columns where subtracting that would round away what sets values
/// much smaller than it apart (a huge value that stands for "missing" in most rows).
template <class Scalar>
Vector<Scalar> common_origin(const MatrixView<Scalar>& x);

/// Up to 65 rows of x, evenly spread.
template <class Scalar>
Matrix<Scalar> few_rows(const MatrixView<Scalar>& x);

/// The length, in double, that a share of the rows do not exceed: 0.5 gives their median.
template <class Scalar>
double length_quantile(const MatrixView<Scalar>& x, double share);

}  // namespace ansatz::rfm
