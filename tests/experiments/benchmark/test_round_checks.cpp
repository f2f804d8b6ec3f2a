// What is looked for in a set and its splits before its scores are believed.
#include "core/base/error.h"
#include "experiments/benchmark/round_checks.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/matrices.h"

using namespace ansatz;
using namespace ansatz::experiments;
using namespace ansatz::testing;

namespace {

/// 40 rows of noise.
TableSet plain_set(Task task) {
  TableSet set;
  set.name = "plain";
  set.rows.task = task;
  set.rows.inputs = random_matrix<double>(40, 3, 1);
  set.rows.targets = task == Task::regression ? random_matrix<double>(40, 1, 2) : Matrix<double>::Zero(40, 3);
  set.rows.class_names = {"a", "b", "c"};
  for (Index i = 0; i < 40 && task == Task::classification; ++i) set.rows.targets(i, i % 3) = 1;
  return set;
}

std::vector<Index> span(Index first, Index end) {
  std::vector<Index> rows;
  for (Index i = first; i < end; ++i) rows.push_back(i);
  return rows;
}

/// Two splits, each with one fold: rows 0 to 19 to fit, 20 to 29 and 30 to 39 to test, 10 others to choose on.
std::vector<Round> two_rounds() {
  return {{{span(0, 20), span(30, 40)}, {{span(0, 20), span(20, 30)}}},
          {{span(0, 20), span(20, 30)}, {{span(0, 20), span(30, 40)}}}};
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("sets with nothing odd pass their checks in silence", "[benchmark]") {
  for (const Task task : {Task::regression, Task::classification}) {
    const CheckedRounds checked = checked_rounds(plain_set(task), two_rounds(), true);
    CHECK(checked.warnings.empty());
    CHECK(checked.notes.empty());
    REQUIRE(checked.rounds.size() == 2);
    CHECK(checked.rounds[1].folds[0].test == span(30, 40));
  }
}

TEST_CASE("a fold whose test targets are all the same is left out with a warning", "[benchmark]") {
  TableSet set = plain_set(Task::regression);
  set.rows.targets.middleRows(20, 10).setConstant(0.1);  // 0.1: its mean is rounded
  const CheckedRounds checked = checked_rounds(set, two_rounds(), true);
  REQUIRE(checked.rounds.size() == 1);
  CHECK(checked.rounds[0].folds[0].test == span(30, 40));
  CHECK(contains(joined(checked.warnings), "in 1 of 2 folds the targets of all test rows are the same"));
  std::vector<Round> given = {{two_rounds()[0].selection, {two_rounds()[0].folds[0], two_rounds()[1].folds[0]}}};
  REQUIRE(checked_rounds(set, given, false).rounds.size() == 1);
  CHECK(checked_rounds(set, given, false).rounds[0].folds.size() == 1);
  set.rows.targets.middleRows(30, 10).setConstant(7);
  CHECK(contains(message_of<DataError>([&] { checked_rounds(set, two_rounds(), true); }),
                 "plain: in 2 of 2 folds the targets of all test rows are the same, so that R² is not defined"));
}

TEST_CASE("classes without a training row are named, where the splits were drawn", "[benchmark]") {
  TableSet set = plain_set(Task::classification);
  for (Index i = 0; i < 20; ++i) set.rows.targets.row(i) << 1, 0, 0;
  set.rows.targets.bottomRows(10).rowwise() = Eigen::RowVector3d(1, 0, 0);
  CHECK(contains(joined(checked_rounds(set, two_rounds(), true).warnings),
                 "in 1 of 2 splits test rows are of a class without a training row (such as b in split 1)"));
  CHECK(checked_rounds(set, two_rounds(), false).warnings.empty());  // the collection's own notes say so
}

TEST_CASE("test rows that were trained on are counted", "[benchmark]") {
  TableSet set = plain_set(Task::regression);
  set.rows.inputs.row(25) = set.rows.inputs.row(3);
  CHECK(checked_rounds(set, two_rounds(), true).notes.empty());  // the targets differ
  set.rows.targets.row(25) = set.rows.targets.row(3);
  const CheckedRounds one = checked_rounds(set, two_rounds(), true);
  CHECK(one.warnings.empty());
  CHECK(contains(joined(one.notes), "1 of 20 test rows (5 %) are training rows of the same fold, too"));
  for (const Index row : {32, 33}) {
    set.rows.inputs.row(row) = set.rows.inputs.row(4);
    set.rows.targets.row(row) = set.rows.targets.row(4);
  }
  CHECK(contains(joined(checked_rounds(set, two_rounds(), true).warnings), "3 of 20 test rows (15 %)"));
  const CheckedRounds given = checked_rounds(set, two_rounds(), false);
  CHECK(given.warnings.empty());
  CHECK(contains(joined(given.notes), "3 of 20 test rows (15 %)"));
}

TEST_CASE("inputs that are the target, or all constant, are warned of", "[benchmark]") {
  TableSet set = plain_set(Task::regression);
  set.rows.feature_names = {"size", "price_eur", "age"};
  set.rows.inputs.col(1) = 0.9 * set.rows.targets.col(0);
  CHECK(contains(joined(checked_rounds(set, two_rounds(), true).warnings), "\"price_eur\" is the target itself"));
  set.rows.inputs.setConstant(3);
  set.rows.inputs(35, 0) = 4;  // not a training row
  CHECK(contains(joined(checked_rounds(set, two_rounds(), true).warnings), "all inputs are constant"));
}
