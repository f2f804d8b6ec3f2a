#include <algorithm>
#include <cmath>
#include <random>

#include "core/statistics/table_metrics.h"
#include "tests/core/statistics/slow_statistics.h"
#include "tests/support/catch.h"

using namespace ansatz;

namespace {
const double kNone = std::nan("");
}

TEST_CASE("table metrics: two methods on four sets, by hand") {
  ScoreTable table{{"a", "b", "c", "d"}, {"x", "y"}, Matrix<double>(4, 2)};
  table.scores << 0.8, 0.72,  // 0.90 of the best: within P90
      0.5, 0.5,               // equal: says nothing of the distance to the least
      kNone, 0.6,             // x has none
      0.76, 0.8;              // 0.95 of the best: within P95
  const MethodMetrics x = table_metrics(table)[0], y = table_metrics(table)[1];
  CHECK((x.method == "x" && x.sets == 3 && y.sets == 4));
  CHECK(x.score.mean == Approx((0.8 + 0.5 + 0.76) / 3));
  CHECK(x.pma.mean == Approx((1 + 1 + 0.95) / 3));
  CHECK(x.pma.sd == Approx(std::sqrt(2 * std::pow(0.05 / 3, 2) + std::pow(0.1 / 3, 2)) / std::sqrt(2.0)));
  CHECK(x.p90 == 1);
  CHECK(x.p95 == 1);
  CHECK(y.p90 == 1);
  CHECK(y.p95 == 0.75);
  CHECK(x.rank == Approx((1 + 1.5 + 1.5 + 2) / 4));
  CHECK(x.adtm == Approx(0.5));
  CHECK(y.adtm == Approx(0.5));  // of a and d: alone on c, y is both the best and the least there
  CHECK(x.adtm_printed == Approx((0.1 + 0 + 0) / 3));
  CHECK(y.adtm_printed == Approx((0 + 0 + 0 + 0.05) / 4));
}

TEST_CASE("table metrics: R^2 below 0 and sets on which the best is not above 0") {
  ScoreTable table{{"a", "b"}, {"x", "y"}, Matrix<double>(2, 2)};
  table.scores << -0.5, 0.5, -2, -1;
  const MethodMetrics x = table_metrics(table)[0];
  CHECK(x.score.mean == Approx(-1.25));
  CHECK(x.pma.values == std::vector<double>{-1});  // b has no percentage of its best
  CHECK(x.p90 == 0);
  CHECK(x.adtm == 0);
  CHECK(x.adtm_printed == 0);
  CHECK(table_metrics(table)[1].adtm == 1);
}

TEST_CASE("table metrics: a method without any score is NaN, and ranks as the mean of the others") {
  ScoreTable table{{"a"}, {"x", "y", "z"}, Matrix<double>(1, 3)};
  table.scores << 0.5, kNone, 1;
  const MethodMetrics y = table_metrics(table)[1];
  CHECK(y.sets == 0);
  CHECK((std::isnan(y.score.mean) && std::isnan(y.p90) && std::isnan(y.pma.mean) && std::isnan(y.adtm)));
  CHECK(y.rank == 2);
}

TEST_CASE("table metrics: random tables agree with definitions written plainly") {
  std::mt19937 random(11);
  for (int round = 0; round < 30; ++round) {
    const ScoreTable table = random_table(random, 9, 5);
    const std::vector<MethodMetrics> metrics = table_metrics(table);
    for (Index j = 0; j < 5; ++j) {
      double accuracy = 0, pma = 0, p90 = 0, p95 = 0, adtm = 0, printed = 0;
      int sets = 0, spread = 0;
      for (Index i = 0; i < 9; ++i) {
        const double score = table.scores(i, j);
        if (std::isnan(score)) continue;
        double least = 2, most = -1;
        for (Index k = 0; k < 5; ++k) {
          if (std::isnan(table.scores(i, k))) continue;
          least = std::min(least, table.scores(i, k));
          most = std::max(most, table.scores(i, k));
        }
        ++sets;
        accuracy += score;
        pma += score / most;
        p90 += score / most >= 0.9 ? 1 : 0;
        p95 += score / most >= 0.95 ? 1 : 0;
        printed += (score - least) / most;
        if (most > least) adtm += (score - least) / (most - least), ++spread;
      }
      const MethodMetrics& method = metrics[static_cast<std::size_t>(j)];
      CHECK(method.sets == sets);
      CHECK(method.score.mean == Approx(accuracy / sets));
      CHECK(method.pma.mean == Approx(pma / sets));
      CHECK(method.p90 == Approx(p90 / sets));
      CHECK(method.p95 == Approx(p95 / sets));
      CHECK(method.adtm == Approx(adtm / spread));
      CHECK(method.adtm_printed == Approx(printed / sets));
    }
  }
}

TEST_CASE("error relative to a baseline") {
  const Vector<double> scores = (Vector<double>(4) << 0.9, 0.7, 1, kNone).finished();
  const Vector<double> baseline = (Vector<double>(4) << 0.8, 0.8, 1, 0.5).finished();
  const Vector<double> decrease = relative_error_decrease(scores, baseline);
  CHECK(decrease(0) == Approx(0.5));   // 20 % wrong, now 10 %
  CHECK(decrease(1) == Approx(-0.5));  // 20 % wrong, now 30 %
  CHECK((std::isnan(decrease(2)) && std::isnan(decrease(3))));
}
