#include "core/statistics/wilcoxon.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/statistics/distributions.h"
#include "core/statistics/ranks.h"

namespace ansatz {
namespace {

/// How many of the 2^n choices of signs give each sum of the ranks that get a plus, as shares. `doubled`: ranks times
/// 2, which are whole numbers with ties too.
std::vector<double> distribution(const std::vector<std::size_t>& doubled) {
  std::vector<double> share{1};
  for (const std::size_t rank : doubled) {
    std::vector<double> next(share.size() + rank, 0.0);
    for (std::size_t sum = 0; sum < share.size(); ++sum) {
      next[sum] += share[sum] / 2;
      next[sum + rank] += share[sum] / 2;
    }
    share = std::move(next);
  }
  return share;
}

double exact_p(const Vector<double>& ranks, double positive) {
  std::vector<std::size_t> doubled;
  for (const double rank : ranks) doubled.push_back(static_cast<std::size_t>(std::lround(2 * rank)));
  const std::vector<double> share = distribution(doubled);
  const auto seen = static_cast<std::size_t>(std::lround(2 * positive));
  double below = 0, above = 0;
  for (std::size_t sum = 0; sum < share.size(); ++sum) {
    if (sum <= seen) below += share[sum];
    if (sum >= seen) above += share[sum];
  }
  return std::min(1.0, 2 * std::min(below, above));
}

double approximate_p(const Vector<double>& ranks, double positive) {
  const auto n = static_cast<double>(ranks.size());
  // The sum of squared ranks is n (n + 1) (2n + 1) / 6 without ties, and with them less by the usual correction.
  const double z = (positive - n * (n + 1) / 4) / std::sqrt(ranks.squaredNorm() / 4);
  return 2 * normal_cdf(-std::abs(z));
}

}  // namespace

SignedRankTest signed_rank_test(const Vector<double>& differences) {
  std::vector<double> kept;
  for (const double d : differences)
    if (std::abs(d) >= kSameScore) kept.push_back(d);
  SignedRankTest test;
  test.pairs = static_cast<Index>(kept.size());
  if (kept.empty()) return test;
  const Vector<double> d = Eigen::Map<const Vector<double>>(kept.data(), test.pairs);
  const Vector<double> ranks = average_ranks(-d.cwiseAbs());  // 1 for the smallest |d|
  for (Index i = 0; i < test.pairs; ++i) (d(i) > 0 ? test.positive : test.negative) += ranks(i);
  test.exact = test.pairs <= kMostExactPairs;
  test.p = test.exact ? exact_p(ranks, test.positive) : approximate_p(ranks, test.positive);
  return test;
}

}  // namespace ansatz
