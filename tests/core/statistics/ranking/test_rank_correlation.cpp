// Constants: scipy.stats 1.17 (spearmanr); the standard error by NumPy.
#include <cmath>

#include "core/statistics/ranking/rank_correlation.h"
#include "tests/support/catch.h"

using namespace ansatz;

TEST_CASE("rank correlation: SciPy's, with ties, whatever is not finite left out") {
  Vector<double> x(9), y(9);
  x << 100, 24, 5000, 5000, 800, 20000, 340, 7, std::nan("");
  y << 1, 0, 3.5, 2, 0, -1, 0, std::nan(""), 4;
  const RankCorrelation r = rank_correlation(x, y);
  CHECK(r.pairs == 7);
  CHECK(r.rho == Approx(0.018698939800169144).epsilon(1e-10));
  CHECK(r.standard_error == Approx(0.499868863927555).epsilon(1e-10));
}

TEST_CASE("rank correlation: monotone, constant, too few") {
  Vector<double> x(5), falling(5);
  x << 1, 10, 100, 1000, 1e9;
  falling << 5, 4, 2, 1, -7;
  CHECK(rank_correlation(x, x).rho == Approx(1));
  CHECK(rank_correlation(x, falling).rho == Approx(-1));
  CHECK(rank_correlation(x, falling).standard_error == Approx(0).margin(1e-12));
  CHECK(std::isnan(rank_correlation(x, Vector<double>::Ones(5)).rho));
  CHECK(std::isnan(rank_correlation(x.head(3), x.head(3)).standard_error));
  CHECK(std::isnan(rank_correlation(x.head(1), x.head(1)).rho));
}
