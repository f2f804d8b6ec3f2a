#include "core/statistics/ranks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace ansatz {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// NaN replaced by the mean of the rest; all NaN stays so.
Vector<double> with_means(Vector<double> scores) {
  double sum = 0;
  Index known = 0;
  for (const double score : scores)
    if (!std::isnan(score)) sum += score, ++known;
  for (double& score : scores)
    if (std::isnan(score)) score = known > 0 ? sum / static_cast<double>(known) : kNaN;
  return scores;
}

}  // namespace

Vector<double> average_ranks(const Vector<double>& values) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return values(a) > values(b); });
  Vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first + 1;
    while (end < order.size() && values(order[end - 1]) - values(order[end]) < kSameScore) ++end;
    const double shared = (static_cast<double>(first + 1) + static_cast<double>(end)) / 2;
    for (; first < end; ++first) ranks(order[first]) = shared;
  }
  return ranks;
}

Matrix<double> ranks_by_set(const ScoreTable& table) {
  Matrix<double> ranks(table.scores.rows(), table.scores.cols());
  for (Index i = 0; i < ranks.rows(); ++i) {
    const Vector<double> scores = with_means(table.scores.row(i).transpose());
    if (scores.hasNaN())
      ranks.row(i).setConstant(kNaN);
    else
      ranks.row(i) = average_ranks(scores).transpose();
  }
  return ranks;
}

Vector<double> friedman_ranks(const ScoreTable& table) {
  const Matrix<double> ranks = ranks_by_set(table);
  Vector<double> sum = Vector<double>::Zero(ranks.cols());
  Index sets = 0;
  for (Index i = 0; i < ranks.rows(); ++i) {
    if (ranks.row(i).hasNaN()) continue;
    sum += ranks.row(i).transpose();
    ++sets;
  }
  return sets > 0 ? Vector<double>(sum / static_cast<double>(sets)) : Vector<double>::Constant(ranks.cols(), kNaN);
}

}  // namespace ansatz
