#include "experiments/paper/faces/eigenvector_match.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/features/comparison.h"

namespace ansatz::experiments {

Matrix<double> eigenvector_likeness(const Matrix<double>& a, const Matrix<double>& b) {
  Matrix<double> likeness(a.rows(), b.rows());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < b.rows(); ++j)
      likeness(i, j) = std::fabs(pearson(a.row(i).transpose(), b.row(j).transpose()));
  return likeness;
}

std::vector<Index> match_best_to_best(const Matrix<double>& likeness) {
  constexpr double kTaken = -1;
  std::vector<Index> matches(static_cast<std::size_t>(likeness.rows()), -1);
  Matrix<double> left = likeness;
  for (Index n = std::min(likeness.rows(), likeness.cols()); n > 0; --n) {
    Index row = 0, column = 0;
    left.maxCoeff(&row, &column);
    matches[static_cast<std::size_t>(row)] = column;
    left.row(row).setConstant(kTaken);
    left.col(column).setConstant(kTaken);
  }
  return matches;
}

double mean_of_matches(const Matrix<double>& likeness, const std::vector<Index>& matches) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    if (matches[i] < 0) continue;
    sum += likeness(static_cast<Index>(i), matches[i]);
    ++count;
  }
  return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace ansatz::experiments
