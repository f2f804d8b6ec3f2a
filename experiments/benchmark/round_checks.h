// What is odd about the rows of a set and its splits, looked for before its scores are believed.
#pragma once

#include <string>
#include <vector>

#include "experiments/benchmark/set_rounds.h"

namespace ansatz::experiments {

/// Rounds that can be scored, and what a person must know of them.
struct CheckedRounds {
  std::vector<Round> rounds;
  std::vector<std::string> warnings;
  std::vector<std::string> notes;  ///< what is usual, or part of the splits that a collection gives
};

/// `rounds` without folds whose test targets are all the same: R² is not defined there, for no method, and a mean must
/// not take it for a number. DataError if no fold is left. Warnings: such folds; inputs that are the target itself, or
/// all constant; and of splits that were `drawn`, classes that have test rows and no training row, and test rows that
/// are training rows of the same fold, too (a few such are a note, and so are those of given splits).
CheckedRounds checked_rounds(const TableSet& set, std::vector<Round> rounds, bool drawn);

}  // namespace ansatz::experiments
