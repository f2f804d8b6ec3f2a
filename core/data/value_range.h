// Values of a table whose squares the engine could not hold, found while the file and the place are known.
#pragma once

#include <vector>

#include "core/data/table_rows.h"

namespace ansatz {

/// What inputs may be divided by without loss: 1, or, where most training rows are longer than 1e10 or shorter than
/// 1e-10 (float64: 1e100, 1e-100), their median length. Kernels choose their unit so (rfm/pairs/range.h).
template <class Scalar>
double unit_of_inputs(const Matrix<Scalar>& train);

/// `values` are rows of `table`, read and scaled. DataError naming the place of a value so large that the squared
/// length of its row, in that unit, is beyond Scalar: no distance to it could be told.
template <class Scalar>
void require_inputs_in_range(const TableRows& table, const std::vector<Index>& rows, const Matrix<Scalar>& values,
                             double unit);

/// The same of targets, whose errors are squared and summed in double: DataError unless all are below 1e150.
template <class Scalar>
void require_targets_in_range(const TableRows& table, const std::vector<Index>& rows, const Matrix<Scalar>& values);

}  // namespace ansatz
