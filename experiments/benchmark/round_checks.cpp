#include "experiments/benchmark/round_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <unordered_map>

#include "core/base/error.h"
#include "core/data/class_coding.h"
#include "core/data/loading/target_leak.h"
#include "core/data/metrics.h"

namespace ansatz::experiments {
namespace {

constexpr double kManyCopies = 0.05;  ///< of the test rows: more are worth a warning

/// Whether R² is defined on these rows, by the rule that scores follow.
bool can_be_scored(const TableSet& set, const std::vector<Index>& rows) {
  if (set.rows.task == Task::classification) return true;
  const Dataset<double> test = set.rows.rows(rows);
  return std::isfinite(evaluate(test.targets, test).r2);
}

void leave_out_constant_folds(const TableSet& set, CheckedRounds& checked) {
  std::size_t folds = 0, left_out = 0;
  for (Round& round : checked.rounds) {
    folds += round.folds.size();
    const auto constant = std::remove_if(round.folds.begin(), round.folds.end(),
                                         [&](const RowSplit& fold) { return !can_be_scored(set, fold.test); });
    left_out += static_cast<std::size_t>(round.folds.end() - constant);
    round.folds.erase(constant, round.folds.end());
  }
  if (left_out == 0) return;
  const std::string where = fmt::format("in {} of {} folds the targets of all test rows are the same", left_out, folds);
  if (left_out == folds)
    throw DataError(
        fmt::format("{}: {}, so that R² is not defined; leave the set out, or predict classes", set.name, where));
  checked.rounds.erase(std::remove_if(checked.rounds.begin(), checked.rounds.end(),
                                      [](const Round& round) { return round.folds.empty(); }),
                       checked.rounds.end());
  checked.warnings.push_back(where + ": R² is not defined there, and they are left out");
}

void warn_of_inputs(const TableSet& set, CheckedRounds& checked) {
  const Dataset<double> fit = set.rows.rows(checked.rounds.front().selection.train);
  if (std::string leak = target_leak(fit); !leak.empty()) checked.warnings.push_back(std::move(leak));
  if (fit.size() > 1 && (fit.inputs.rowwise() - fit.inputs.row(0)).isZero(0))
    checked.warnings.push_back("all inputs are constant over the training rows: nothing can be predicted from them");
}

void warn_of_missing_classes(const TableSet& set, CheckedRounds& checked) {
  if (set.rows.task != Task::classification) return;
  std::size_t folds = 0, lacking = 0;
  std::string first;
  for (const Round& round : checked.rounds)
    for (const RowSplit& fold : round.folds) {
      ++folds;
      const Vector<double> train = set.rows.targets(fold.train, Eigen::all).colwise().sum();
      const Vector<double> test = set.rows.targets(fold.test, Eigen::all).colwise().sum();
      Index missing = 0;
      while (missing < test.size() && !(train(missing) == 0 && test(missing) > 0)) ++missing;
      if (missing == test.size()) continue;
      if (lacking++ == 0)
        first = fmt::format("{} in split {}", set.rows.class_names[static_cast<std::size_t>(missing)], folds);
    }
  if (lacking > 0)
    checked.warnings.push_back(
        fmt::format("in {} of {} splits test rows are of a class without a training row (such as {}), and cannot be "
                    "right; such rare classes are better left out or merged",
                    lacking, folds, first));
}

/// Finds rows that are alike, inputs and target.
class RowIndex {
 public:
  RowIndex(const Dataset<double>& data, const std::vector<Index>& rows) : data_(data) {
    for (const Index row : rows)
      if (!has(row)) rows_.emplace(hash_of(row), row);
  }

  bool has(Index row) const {
    const auto [first, end] = rows_.equal_range(hash_of(row));
    return std::any_of(first, end, [&](const auto& other) { return alike(row, other.second); });
  }

 private:
  std::size_t hash_of(Index row) const {
    const std::string_view bytes(reinterpret_cast<const char*>(data_.inputs.row(row).data()),
                                 static_cast<std::size_t>(data_.dimension()) * sizeof(double));
    return std::hash<std::string_view>()(bytes);
  }

  bool alike(Index a, Index b) const {
    return data_.inputs.row(a) == data_.inputs.row(b) && data_.targets.row(a) == data_.targets.row(b);
  }

  const Dataset<double>& data_;
  std::unordered_multimap<std::size_t, Index> rows_;
};

void count_copies(const TableSet& set, bool drawn, CheckedRounds& checked) {
  Index tested = 0, copies = 0;
  for (const Round& round : checked.rounds)
    for (const RowSplit& fold : round.folds) {
      const RowIndex train(set.rows, fold.train);
      tested += static_cast<Index>(fold.test.size());
      copies += std::count_if(fold.test.begin(), fold.test.end(), [&](Index row) { return train.has(row); });
    }
  if (copies == 0) return;
  const double share = static_cast<double>(copies) / static_cast<double>(tested);
  std::string text = fmt::format(
      "{} of {} test rows ({:.3g} %) are training rows of the same fold, too, inputs and "
      "target",
      copies, tested, 100 * share);
  if (drawn && share > kManyCopies)
    checked.warnings.push_back(text + ": scores on them are memory; if the table holds rows twice, take them out");
  else
    checked.notes.push_back(std::move(text));
}

}  // namespace

CheckedRounds checked_rounds(const TableSet& set, std::vector<Round> rounds, bool drawn) {
  CheckedRounds checked;
  checked.rounds = std::move(rounds);
  leave_out_constant_folds(set, checked);
  warn_of_inputs(set, checked);
  if (drawn) warn_of_missing_classes(set, checked);
  count_copies(set, drawn, checked);
  return checked;
}

}  // namespace ansatz::experiments
