#include "core/record/findings/standard_errors.h"

#include <cmath>
#include <limits>

#include "core/base/error.h"

namespace ansatz {

double accuracy_standard_error(double accuracy, Index n) {
  if (n < 1) return std::numeric_limits<double>::quiet_NaN();
  const double rows = static_cast<double>(n) + 2, share = (accuracy * static_cast<double>(n) + 1) / rows;
  return std::sqrt(share * (1 - share) / rows);
}

double paired_standard_error(const std::vector<bool>& right, const std::vector<bool>& other_right) {
  if (right.size() != other_right.size())
    throw DataError("standard error: the two models were not scored on the same rows");
  if (right.empty()) return std::numeric_limits<double>::quiet_NaN();
  double only_one = 1, only_other = 1;
  for (std::size_t i = 0; i < right.size(); ++i) {
    only_one += right[i] && !other_right[i];
    only_other += !right[i] && other_right[i];
  }
  const double rows = static_cast<double>(right.size()) + 2, difference = only_one - only_other;
  return std::sqrt(only_one + only_other - difference * difference / rows) / rows;
}

double crossed_standard_error(const Matrix<double>& differences) {
  if (differences.rows() < 1 || differences.cols() < 2) return std::numeric_limits<double>::quiet_NaN();
  const Vector<double> of_rows = differences.rowwise().mean(), of_columns = differences.colwise().mean().transpose();
  const double rows = static_cast<double>(of_rows.size()) + 2, columns = static_cast<double>(of_columns.size());
  const double mean = of_rows.sum() / rows;  // the two added rows cancel
  const double row_variance = (of_rows.squaredNorm() + 2) / rows - mean * mean;
  const double column_variance = (of_columns.array() - of_columns.mean()).square().sum() / (columns - 1);
  return std::sqrt(row_variance / rows + column_variance / columns);
}

}  // namespace ansatz
