// Means of a matrix's columns, in double.
#pragma once

#include "core/base/matrix.h"

namespace ansatz {

/// Of an n x c matrix, n > 0: c means, summed in double whatever its type.
template <class Scalar>
Eigen::RowVectorXd column_means(const Matrix<Scalar>& values) {
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(values.cols());
  for (Index i = 0; i < values.rows(); ++i) sum += values.row(i).template cast<double>();
  return sum / static_cast<double>(values.rows());
}

}  // namespace ansatz
