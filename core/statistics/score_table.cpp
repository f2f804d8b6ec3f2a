#include "core/statistics/score_table.h"

#include <algorithm>
#include <limits>

namespace ansatz {
namespace {

Index place_of(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : found - names.begin();
}

}  // namespace

Index find_method(const ScoreTable& table, const std::string& method) { return place_of(table.methods, method); }

ScoreTable beside(const ScoreTable& table, const ScoreTable& other) {
  ScoreTable both = table;
  const auto added = static_cast<Index>(other.methods.size());
  both.methods.insert(both.methods.end(), other.methods.begin(), other.methods.end());
  both.scores.conservativeResize(static_cast<Index>(table.sets.size()), static_cast<Index>(both.methods.size()));
  for (Index i = 0; i < both.scores.rows(); ++i) {
    const Index row = place_of(other.sets, table.sets[static_cast<std::size_t>(i)]);
    if (row >= 0)
      both.scores.row(i).tail(added) = other.scores.row(row);
    else
      both.scores.row(i).tail(added).setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  return both;
}

ScoreTable columns_of(const ScoreTable& table, const std::vector<std::string>& kept) {
  ScoreTable part{table.sets, {}, Matrix<double>(table.scores.rows(), 0)};
  for (const std::string& method : kept) {
    const Index column = find_method(table, method);
    if (column < 0) continue;
    part.methods.push_back(method);
    part.scores.conservativeResize(Eigen::NoChange, part.scores.cols() + 1);
    part.scores.rightCols(1) = table.scores.col(column);
  }
  return part;
}

}  // namespace ansatz
