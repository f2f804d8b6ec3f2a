// Where numbers and their squares stay within a scalar type's range.
#pragma once

#include "core/base/matrix.h"

namespace ansatz::rfm {

/// If `size` is so far from 1 that its square may leave Scalar's range, the power of two nearest to it: dividing by a
/// power of two changes no digit. Otherwise 1, also for a size that is 0 or not finite.
template <class Scalar>
double range_unit(double size);

/// The row that is subtracted before distances are taken.
/// - Usually the mean of x (n x d), summed in double.
/// - If the mean overflows, or if a few huge values hold it more than 100 typical distances away from most rows, so
///   that float32 would keep no digit of these: the median, column by column, of up to 65 rows.
/// - 0 in a column where subtracting it would round away the differences among much smaller values (such as a column
///   where a huge value in most rows stands for "missing").
template <class Scalar>
Vector<Scalar> common_origin(const MatrixView<Scalar>& x);

/// Up to 65 rows of x, evenly spread.
template <class Scalar>
Matrix<Scalar> few_rows(const MatrixView<Scalar>& x);

/// The length, in double, that this share of the rows do not exceed; 0.5 gives the median length.
template <class Scalar>
double length_quantile(const MatrixView<Scalar>& x, double share);

}  // namespace ansatz::rfm
