#include <cmath>
#include <random>

#include "core/statistics/ranks.h"
#include "tests/core/statistics/slow_statistics.h"
#include "tests/support/catch.h"

using namespace ansatz;

TEST_CASE("ranks: the largest is first, equal values share the mean of their places") {
  CHECK(average_ranks((Vector<double>(5) << 3, 1, 3, 7, 3).finished()) ==
        (Vector<double>(5) << 3, 5, 3, 1, 3).finished());
  // 0.1 + 0.2 and 0.3 differ in the last bit only
  CHECK(average_ranks((Vector<double>(3) << 0.1 + 0.2, 0.3, 0).finished()) ==
        (Vector<double>(3) << 1.5, 1.5, 3).finished());
}

TEST_CASE("Friedman ranks: a missing score counts as the mean of the others on that set") {
  ScoreTable table{{"a", "b", "c"}, {"x", "y", "z", "w"}, Matrix<double>(3, 4)};
  const double none = std::nan("");
  table.scores << 0.9, none, 0.5, 0.6,  // y: 2/3, second
      0.1, 0.2, 0.3, 0.4,               //
      none, none, none, none;           // says nothing
  const Matrix<double> ranks = ranks_by_set(table);
  CHECK(ranks.row(0) == (Matrix<double>(1, 4) << 1, 2, 4, 3).finished());
  CHECK(ranks.row(1) == (Matrix<double>(1, 4) << 4, 3, 2, 1).finished());
  CHECK(std::isnan(ranks(2, 0)));
  CHECK(friedman_ranks(table) == (Vector<double>(4) << 2.5, 2.5, 3, 2).finished());
}

TEST_CASE("Friedman ranks: random tables with ties and gaps agree with counting") {
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) {
    const ScoreTable table = random_table(random, 7, 6);
    const Vector<double> slow = slow_friedman_ranks(table), fast = friedman_ranks(table);
    for (Index m = 0; m < slow.size(); ++m) CHECK(fast(m) == Approx(slow(m)).epsilon(1e-12));
  }
}

TEST_CASE("score tables side by side, and some methods of one") {
  const double none = std::nan("");
  const ScoreTable a{{"s", "t"}, {"x"}, (Matrix<double>(2, 1) << 1, 2).finished()};
  const ScoreTable b{{"t", "u"}, {"y", "z"}, (Matrix<double>(2, 2) << 3, none, 5, 6).finished()};
  const ScoreTable both = beside(a, b);
  CHECK(both.sets == a.sets);
  CHECK(both.methods == std::vector<std::string>{"x", "y", "z"});
  CHECK((both.scores(0, 0) == 1 && both.scores(1, 0) == 2 && both.scores(1, 1) == 3));
  CHECK((std::isnan(both.scores(0, 1)) && std::isnan(both.scores(0, 2)) && std::isnan(both.scores(1, 2))));
  const ScoreTable part = columns_of(both, {"y", "not there", "x"});
  CHECK(part.methods == std::vector<std::string>{"y", "x"});
  CHECK((part.scores(1, 0) == 3 && part.scores(1, 1) == 2));
}
