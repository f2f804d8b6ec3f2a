// The words that a key takes, from the table of what they stand for.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ansatz::experiments {

/// The names of a table's rows, each with what it stands for.
template <class Row, class Enum>
std::vector<std::pair<std::string, Enum>> words(const std::vector<Row>& table, Enum Row::*meaning) {
  std::vector<std::pair<std::string, Enum>> words;
  for (const Row& row : table) words.emplace_back(row.name, row.*meaning);
  return words;
}

}  // namespace ansatz::experiments
