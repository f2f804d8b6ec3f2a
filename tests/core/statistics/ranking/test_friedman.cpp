// Constants: scipy.stats 1.17 (friedmanchisquare, f.sf).
#include <cmath>
#include <random>

#include "core/statistics/ranking/friedman.h"
#include "tests/core/statistics/slow_statistics.h"
#include "tests/support/catch.h"

using namespace ansatz;

namespace {

ScoreTable table_of(const Matrix<double>& scores) {
  ScoreTable table{{}, {}, scores};
  for (Index i = 0; i < scores.rows(); ++i) table.sets.push_back(std::to_string(i));
  for (Index j = 0; j < scores.cols(); ++j) table.methods.push_back(std::to_string(j));
  return table;
}

}  // namespace

TEST_CASE("Friedman's test: SciPy's numbers, with ties and without") {
  Matrix<double> tied(6, 4), plain(5, 3);
  tied << 0.9, 0.8, 0.7, 0.75, 0.6, 0.6, 0.5, 0.4, 0.7, 0.72, 0.71, 0.70, 0.95, 0.9, 0.9, 0.85, 0.3, 0.5, 0.2, 0.1,
      0.88, 0.81, 0.8, 0.79;
  const FriedmanTest a = friedman_test(table_of(tied));
  CHECK((a.methods == 4 && a.sets == 6 && a.freedom == 3 && a.residual_freedom == 15));
  CHECK(a.chi_squared == Approx(11.842105263157896).epsilon(1e-12));
  CHECK(a.p == Approx(0.007944084990863918).epsilon(1e-10));
  CHECK(a.f == Approx(9.615384615384619).epsilon(1e-12));
  CHECK(a.f_p == Approx(0.0008685878884562505).epsilon(1e-10));
  plain << 3, 1, 2, 2, 3, 1, 3, 2, 1, 3, 1, 2, 3, 2, 1;
  const FriedmanTest b = friedman_test(table_of(plain));
  CHECK(b.chi_squared == Approx(5.2).epsilon(1e-12));
  CHECK(b.p == Approx(0.0742735782143338).epsilon(1e-10));
  CHECK(b.f == Approx(4.333333333333338).epsilon(1e-12));
  CHECK(b.f_p == Approx(0.053084159999999846).epsilon(1e-10));
}

TEST_CASE("Friedman's test: without ties the usual formula of the rank sums") {
  std::mt19937 random(3);
  Matrix<double> scores(9, 5);
  for (double& score : scores.reshaped()) score = static_cast<double>(random());
  const ScoreTable table = table_of(scores);
  const double n = 9, k = 5, squares = (n * slow_friedman_ranks(table)).squaredNorm();
  CHECK(friedman_test(table).chi_squared == Approx(12 / (n * k * (k + 1)) * squares - 3 * n * (k + 1)).epsilon(1e-10));
}

TEST_CASE("Friedman's test: sets that all rank alike, that say nothing, or that have no scores") {
  Matrix<double> alike(3, 2);
  alike << 2, 1, 3, 1, 4, 1;
  const FriedmanTest sure = friedman_test(table_of(alike));
  CHECK(sure.chi_squared == Approx(3));
  CHECK((std::isinf(sure.f) && sure.f_p == 0));
  const FriedmanTest equal = friedman_test(table_of(Matrix<double>::Constant(3, 2, 0.5)));
  CHECK((std::isnan(equal.chi_squared) && std::isnan(equal.p) && std::isnan(equal.f_p)));
  alike.row(1).setConstant(std::nan(""));
  CHECK(friedman_test(table_of(alike)).sets == 2);
  CHECK(std::isnan(friedman_test(table_of(alike.topRows(1))).p));
  CHECK(std::isnan(friedman_test(table_of(alike.leftCols(1))).p));
}
