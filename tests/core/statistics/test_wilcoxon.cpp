// Constants: scipy.stats.wilcoxon 1.17, two-sided, its defaults.
#include <cmath>
#include <random>

#include "core/statistics/wilcoxon.h"
#include "tests/support/catch.h"

using namespace ansatz;

namespace {

Vector<double> of(std::initializer_list<double> values) {
  Vector<double> v(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), v.data());
  return v;
}

/// sin(i) i + 3 for i = 1..n: no ties.
Vector<double> wave(Index n) {
  const Vector<double> i = Vector<double>::LinSpaced(n, 1, static_cast<double>(n));
  return i.array().sin() * i.array() + 3;
}

/// 2 min(P(W <= w), P(W >= w)) by going through all signs of `ranks`.
double p_of_all_signs(const std::vector<double>& ranks, double seen) {
  int below = 0, above = 0;
  const int all = 1 << ranks.size();
  for (int signs = 0; signs < all; ++signs) {
    double sum = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) sum += signs >> i & 1 ? ranks[i] : 0;
    below += sum <= seen ? 1 : 0;
    above += sum >= seen ? 1 : 0;
  }
  return std::min(1.0, 2.0 * std::min(below, above) / all);
}

}  // namespace

TEST_CASE("signed ranks: exact for few pairs, as SciPy") {
  const SignedRankTest test = signed_rank_test(of({0.62, -0.31, 0.15, 0.48, -0.07, 0.93, 0.26, 0.55, -0.12, 0.71}));
  CHECK((test.pairs == 10 && test.exact));
  CHECK((test.negative == 8 && test.positive == 47));
  CHECK(test.p == Approx(0.048828125).epsilon(1e-12));
  CHECK(signed_rank_test(wave(50)).exact);
  CHECK(signed_rank_test(wave(50)).p == Approx(0.43191110415215306).epsilon(1e-10));
  CHECK(signed_rank_test(of({1, 1, 1, 1, 1, 1})).p == Approx(0.03125));
  CHECK(signed_rank_test(of({0.5})).p == 1);
}

TEST_CASE("signed ranks: zeros are left out, ties share ranks, and p stays exact, as SciPy's permutations") {
  const SignedRankTest test = signed_rank_test(of({1, 2, 2, -1, 3, 0, 4, -2, 5, 0, 6, 2}));
  CHECK((test.pairs == 10 && test.negative == 6));
  CHECK(test.p == Approx(0.03125).epsilon(1e-12));
  const SignedRankTest more = signed_rank_test(of({1, 2, 2, -1, 3, 4, -2, 5, 6, 2, -3, 1, 1, 7, -5, 8}));
  CHECK(more.p == Approx(0.055267333984375).epsilon(1e-12));
  CHECK(signed_rank_test(of({0.1 + 0.2 - 0.3, std::nan(""), 0})).pairs == 0);
  CHECK(signed_rank_test(of({0, 0})).p == 1);
}

TEST_CASE("signed ranks: normal for many pairs, as SciPy, with ties and zeros too") {
  const SignedRankTest test = signed_rank_test(wave(60));
  CHECK_FALSE(test.exact);
  CHECK(std::min(test.positive, test.negative) == 760);
  CHECK(test.p == Approx(0.2538497551892068).epsilon(1e-10));
  Vector<double> tied = Vector<double>::LinSpaced(60, 1, 60);
  tied = (tied.array().sin() * 5 + 1).round();
  CHECK(std::min(signed_rank_test(tied).positive, signed_rank_test(tied).negative) == 477);
  CHECK(signed_rank_test(tied).p == Approx(0.013628697245424917).epsilon(1e-10));
}

TEST_CASE("signed ranks: random differences with ties agree with all choices of signs") {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    Vector<double> d(11);
    for (double& v : d) v = (random() % 2 == 0 ? 1.0 : -1.0) * static_cast<double>(random() % 6 + 1);
    std::vector<double> ranks;
    double positive = 0;
    for (const double v : d) {
      double rank = 0.5;  // those that are smaller, and half of those that are equal (itself too)
      for (const double other : d) rank += std::abs(other) < std::abs(v) ? 1 : std::abs(other) == std::abs(v) ? 0.5 : 0;
      ranks.push_back(rank);
      if (v > 0) positive += rank;
    }
    CHECK(signed_rank_test(d).positive == positive);
    CHECK(signed_rank_test(d).p == Approx(p_of_all_signs(ranks, positive)).epsilon(1e-12));
  }
}
