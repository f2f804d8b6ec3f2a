#include "core/statistics/ranking/friedman.h"

#include <cmath>
#include <limits>

#include "core/statistics/distributions.h"
#include "core/statistics/ranks.h"

namespace ansatz {

FriedmanTest friedman_test(const ScoreTable& table) {
  const Matrix<double> ranks = ranks_by_set(table);
  FriedmanTest test;
  test.methods = ranks.cols();
  const auto k = static_cast<double>(ranks.cols());
  Vector<double> sums = Vector<double>::Zero(ranks.cols());
  double squares = 0;  // of the ranks about their mean (k + 1)/2; ties make them smaller
  for (Index i = 0; i < ranks.rows(); ++i) {
    if (ranks.row(i).hasNaN()) continue;
    ++test.sets;
    sums += (ranks.row(i).array() - (k + 1) / 2).matrix().transpose();
    squares += (ranks.row(i).array() - (k + 1) / 2).square().sum();
  }
  const auto n = static_cast<double>(test.sets);
  test.freedom = k - 1;
  test.residual_freedom = (k - 1) * (n - 1);
  test.chi_squared = test.p = test.f = test.f_p = std::numeric_limits<double>::quiet_NaN();
  if (test.methods < 2 || test.sets < 2 || squares == 0) return test;
  test.chi_squared = (k - 1) * sums.squaredNorm() / squares;
  test.p = chi_squared_tail(test.chi_squared, test.freedom);
  const double rest = n * (k - 1) - test.chi_squared;
  test.f = rest > 0 ? (n - 1) * test.chi_squared / rest : std::numeric_limits<double>::infinity();
  test.f_p = f_tail(test.f, test.freedom, test.residual_freedom);
  return test;
}

}  // namespace ansatz
