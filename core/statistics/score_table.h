// How well several methods do on several sets.
#pragma once

#include <string>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

/// Scores of which a larger one is better: accuracies (shares, 0 to 1) or R^2.
struct ScoreTable {
  std::vector<std::string> sets, methods;
  Matrix<double> scores;  ///< sets x methods; NaN: the method has no result on the set
};

}  // namespace ansatz
