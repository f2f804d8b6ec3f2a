// How well several methods do on several sets.
#pragma once

#include <string>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

/// Scores that differ by less count as equal: a mean over folds depends on their order in the last bits.
inline constexpr double kSameScore = 1e-10;

/// Scores of which a larger one is better: accuracies (shares, 0 to 1) or R^2.
struct ScoreTable {
  std::vector<std::string> sets, methods;
  Matrix<double> scores;  ///< sets x methods; NaN: the method has no result on the set
};

/// The column of a method; -1: there is none of that name.
Index find_method(const ScoreTable& table, const std::string& method);

/// The sets of `table` with the columns of both: the methods of `other`, which are not to have names of `table`, have
/// their scores there for the sets that both have, and NaN for the rest.
ScoreTable beside(const ScoreTable& table, const ScoreTable& other);

/// The same sets in the same order, of the methods `kept` alone.
ScoreTable columns_of(const ScoreTable& table, const std::vector<std::string>& kept);

}  // namespace ansatz
