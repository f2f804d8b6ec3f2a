// Finds values of a table whose squares would overflow, while the file and the place of the value are still known.
#pragma once

#include <vector>

#include "core/data/table_rows.h"
#include "core/data/target_scaling.h"

namespace ansatz {

/// The unit in which kernels measure inputs (rfm/pairs/range.h): 1, or the median length of training rows if it is
/// above 1e10 or below 1e-10 (float64: 1e100, 1e-100).
template <class Scalar>
double unit_of_inputs(const Matrix<Scalar>& train);

/// `values` holds the `rows` of `table`, read and scaled. Throws DataError naming the place of a value so large that
/// the squared length of its row, in this unit, overflows Scalar, so that no distance to the row could be computed.
template <class Scalar>
void require_inputs_in_range(const TableRows& table, const std::vector<Index>& rows, const Matrix<Scalar>& values,
                             double unit);

/// The same for targets, whose errors are squared and summed in double: DataError unless all are below 1e150 in their
/// own unit. `values` are the scaled ones.
template <class Scalar>
void require_targets_in_range(const TableRows& table, const std::vector<Index>& rows, const Matrix<Scalar>& values,
                              const TargetScaling& scaling);

}  // namespace ansatz
