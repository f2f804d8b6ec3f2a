// Constants: scipy.stats 1.17 (ttest_rel's confidence_interval, wilcoxon, studentized_range).
#include <cmath>

#include "core/statistics/critical_difference.h"
#include "core/statistics/paired.h"
#include "tests/support/catch.h"

using namespace ansatz;

TEST_CASE("paired comparison: mean, interval of Student's t, wins, as SciPy") {
  Vector<double> a(9), b(9);
  a << 0.81, 0.92, 0.75, 0.66, 0.88, 0.79, 0.93, 0.70, 0.5;
  b << 0.80, 0.90, 0.77, 0.61, 0.85, 0.79, 0.90, 0.66, std::nan("");
  const PairedComparison result = compare_paired(a, b);
  CHECK((result.sets == 8 && result.wins == 6 && result.ties == 1 && result.losses == 1));
  CHECK(result.mean == Approx(0.02));
  CHECK(result.sd == Approx(0.02267786838055364));
  CHECK(result.confidence == 0.95);
  CHECK(result.low == Approx(0.001040827575892262));
  CHECK(result.high == Approx(0.03895917242410775));
  CHECK(result.signed_ranks.p == Approx(0.0625));
  CHECK(compare_paired(a, b, 0.99).low == Approx(-0.00805828756305036));
  const PairedComparison other = compare_paired(b, a);
  CHECK((other.wins == 1 && other.losses == 6));
  CHECK(other.low == Approx(-result.high));
}

TEST_CASE("paired comparison: one set has a difference and no interval, none has neither") {
  const Vector<double> one = Vector<double>::Constant(1, 0.5), none = Vector<double>::Constant(1, std::nan(""));
  CHECK(compare_paired(one, one).mean == 0);
  CHECK(compare_paired(one, one).ties == 1);
  CHECK(std::isnan(compare_paired(one, one).low));
  CHECK(std::isnan(compare_paired(one, none).mean));
  CHECK(compare_paired(one, none).sets == 0);
}

TEST_CASE("critical difference: Demsar's q over sqrt(k (k + 1)/(6 N))") {
  // Demsar (2006), table 5: q of 4 methods at 0.05 is 2.569; its example of 14 sets has CD 1.25.
  CHECK(critical_difference(4, 14) == Approx(2.569 * std::sqrt(4 * 5 / (6.0 * 14))).epsilon(2e-4));
  CHECK(critical_difference(4, 14) == Approx(1.25).margin(0.005));
  CHECK(critical_difference(10, 30, 0.05) == Approx(4.474124221725907 / std::sqrt(2.0) * std::sqrt(110 / 180.0)));
  CHECK(critical_difference(5, 30, 0.1) == Approx(3.478280550703068 / std::sqrt(2.0) * std::sqrt(30 / 180.0)));
  CHECK(std::isnan(critical_difference(1, 30)));
  CHECK(std::isnan(critical_difference(3, 0)));
}

TEST_CASE("critical difference: the largest groups of ranks that are close") {
  using Groups = std::vector<std::vector<Index>>;
  const Vector<double> ranks = (Vector<double>(5) << 3.0, 1.0, 1.9, 5.0, 2.2).finished();
  // in order 1 (b), 1.9 (c), 2.2 (e), 3 (a), 5 (d)
  CHECK(indistinct_groups(ranks, 1.25) == Groups{{1, 2, 4}, {2, 4, 0}});
  CHECK(indistinct_groups(ranks, 0.5) == Groups{{2, 4}});
  CHECK(indistinct_groups(ranks, 0.1).empty());
  CHECK(indistinct_groups(ranks, 4) == Groups{{1, 2, 4, 0, 3}});
  CHECK(indistinct_groups({}, 1).empty());
}
