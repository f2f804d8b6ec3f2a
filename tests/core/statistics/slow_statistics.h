// Statistics by counting, and tables to try them on.
#pragma once

#include <cmath>
#include <random>
#include <string>

#include "core/statistics/score_table.h"

namespace ansatz {

/// Scores of few digits, so that there are ties, and a few without value; at least one method has a score on each set.
inline ScoreTable random_table(std::mt19937& random, Index sets, Index methods) {
  ScoreTable table{{}, {}, Matrix<double>(sets, methods)};
  for (Index i = 0; i < sets; ++i) table.sets.push_back("set " + std::to_string(i));
  for (Index j = 0; j < methods; ++j) table.methods.push_back("method " + std::to_string(j));
  for (Index i = 0; i < sets; ++i)
    for (Index j = 0; j < methods; ++j)
      table.scores(i, j) = j > 0 && random() % 5 == 0 ? std::nan("") : static_cast<double>(random() % 8 + 1) / 8;
  return table;
}

/// 1 + those that are better + half of the others that are equal, a set at a time.
inline Vector<double> slow_friedman_ranks(const ScoreTable& table) {
  const Index sets = table.scores.rows(), methods = table.scores.cols();
  Vector<double> ranks = Vector<double>::Zero(methods);
  for (Index i = 0; i < sets; ++i) {
    double sum = 0, known = 0;
    for (Index j = 0; j < methods; ++j)
      if (!std::isnan(table.scores(i, j))) sum += table.scores(i, j), known += 1;
    const auto score = [&](Index j) { return std::isnan(table.scores(i, j)) ? sum / known : table.scores(i, j); };
    for (Index j = 0; j < methods; ++j) {
      double rank = 1;
      for (Index other = 0; other < methods; ++other) {
        if (other == j) continue;
        const bool same = std::abs(score(other) - score(j)) < 1e-9;
        rank += same ? 0.5 : score(other) > score(j) ? 1 : 0;
      }
      ranks(j) += rank / static_cast<double>(sets);
    }
  }
  return ranks;
}

}  // namespace ansatz
