#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/data/collections/grinsztajn.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;

namespace {

/// n rows, of which row i has the input i and is of the class classes[i % size]; no classes: a regression.
TableSet toy_set(Index n, const std::vector<Index>& classes = {}) {
  TableSet set;
  set.name = "toy";
  set.rows.task = classes.empty() ? Task::regression : Task::classification;
  set.rows.inputs = Matrix<double>(n, 1);
  for (Index i = 0; i < n; ++i) set.rows.inputs(i, 0) = static_cast<double>(i);
  const Index outputs = classes.empty() ? 1 : 1 + *std::max_element(classes.begin(), classes.end());
  set.rows.targets = Matrix<double>::Zero(n, outputs);
  for (Index i = 0; i < n; ++i)
    set.rows.targets(i, classes.empty() ? 0 : classes[static_cast<std::size_t>(i) % classes.size()]) = 1;
  set.rows.feature_names = {"x"};
  return set;
}

std::vector<std::size_t> sizes(const ThreeWaySplit& split) {
  return {split.train.size(), split.validation.size(), split.test.size()};
}

}  // namespace

TEST_CASE("Grinsztajn's splits: sizes by fractions and caps") {
  const auto sizes_for = [](Index n, GrinsztajnOptions options = {}) {
    return sizes(grinsztajn_splits(toy_set(n), options, RandomStream(1)).front());
  };
  CHECK(sizes_for(1000) == std::vector<std::size_t>{700, 90, 210});
  CHECK(sizes_for(11) == std::vector<std::size_t>{7, 1, 3});  // 7.7 rows, and 1.2 of the 4 others
  CHECK(sizes_for(20640) == std::vector<std::size_t>{10000, 3192, 7448});
  CHECK(sizes_for(300000) == std::vector<std::size_t>{10000, 50000, 50000});
  GrinsztajnOptions large;
  large.train_limit = 50000;
  CHECK(sizes_for(53940, large) == std::vector<std::size_t>{37758, 4854, 11328});
}

TEST_CASE("Grinsztajn's splits: as many repeats as the test rows are worth") {
  CHECK(grinsztajn_repeats(6001) == 1);
  CHECK(grinsztajn_repeats(6000) == 2);
  CHECK(grinsztajn_repeats(3001) == 2);
  CHECK(grinsztajn_repeats(3000) == 3);
  CHECK(grinsztajn_repeats(1001) == 3);
  CHECK(grinsztajn_repeats(1000) == 5);
  CHECK(grinsztajn_repeats(1) == 5);
  const auto repeats = [](Index n) { return grinsztajn_splits(toy_set(n), {}, RandomStream(1)).size(); };
  CHECK(repeats(1000) == 5);
  CHECK(repeats(8192) == 3);   // cpu_act: 1721 test rows
  CHECK(repeats(15000) == 2);  // pol: 3500
  CHECK(repeats(20640) == 1);  // california: 7448
}

TEST_CASE("Grinsztajn's splits: parts are disjoint, draws differ, and a seed gives the same again") {
  const TableSet set = toy_set(500);
  const auto splits = grinsztajn_splits(set, {}, RandomStream(3));
  std::set<std::vector<Index>> tests;
  for (const ThreeWaySplit& split : splits) {
    std::set<Index> seen;
    for (const auto* part : {&split.train, &split.validation, &split.test}) {
      CHECK(std::is_sorted(part->begin(), part->end()));
      seen.insert(part->begin(), part->end());
    }
    CHECK(seen.size() == 500);
    CHECK((*seen.begin() == 0 && *seen.rbegin() == 499));
    tests.insert(split.test);
  }
  CHECK(tests.size() == 5);
  const auto again = grinsztajn_splits(set, {}, RandomStream(3));
  for (std::size_t r = 0; r < splits.size(); ++r) {
    CHECK(splits[r].train == again[r].train);
    CHECK(splits[r].validation == again[r].validation);
    CHECK(splits[r].test == again[r].test);
  }
  CHECK(grinsztajn_splits(set, {}, RandomStream(4))[0].test != splits[0].test);
}

TEST_CASE("Grinsztajn's splits: every row may be tested on, whatever the caps leave out") {
  GrinsztajnOptions options;
  options.train_limit = 10;
  options.validation_limit = 5;
  options.test_limit = 20;
  std::set<Index> tested;
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    for (const ThreeWaySplit& split : grinsztajn_splits(toy_set(100), options, RandomStream(seed))) {
      REQUIRE(sizes(split) == std::vector<std::size_t>{10, 5, 20});
      tested.insert(split.test.begin(), split.test.end());
    }
  CHECK(tested.size() == 100);
}

TEST_CASE("Grinsztajn's splits: a set of too few rows is refused") {
  CHECK(contains(message_of<DataError>([] { grinsztajn_splits(toy_set(4), {}, RandomStream(1)); }),
                 "toy: 4 rows make 2 training, 0 validation and 2 test rows"));
}

TEST_CASE("Balanced classes: as many rows of each as the rarest has, in their order") {
  const TableSet set = balance_classes(toy_set(600, {0, 0, 0, 1, 1, 2}), RandomStream(5));
  const Vector<double> counts = set.rows.targets.colwise().sum();
  CHECK((counts.array() == 100).all());
  REQUIRE(set.rows.size() == 300);
  std::set<Index> firsts;
  for (Index i = 0; i < 300; ++i) {
    const auto row = static_cast<Index>(set.rows.inputs(i, 0));  // which is also its number
    const Index place = row % 6;
    CHECK(set.rows.targets(i, place < 3 ? 0 : place < 5 ? 1 : 2) == 1);
    if (i > 0) CHECK(set.rows.inputs(i, 0) > set.rows.inputs(i - 1, 0));
    if (place < 3) firsts.insert(row);
  }
  CHECK(*firsts.rbegin() > 400);  // drawn from all of them, not the first
  CHECK(contains(set.notes.back(), "classes balanced: 300 of 600 rows, 100 of each class"));
  CHECK(balance_classes(toy_set(600, {0, 0, 0, 1, 1, 2}), RandomStream(5)).rows.inputs == set.rows.inputs);
  CHECK(balance_classes(toy_set(600, {0, 0, 0, 1, 1, 2}), RandomStream(6)).rows.inputs != set.rows.inputs);
}

TEST_CASE("Balanced classes: sets that are balanced, and regressions, stay as they are") {
  CHECK(balance_classes(toy_set(6, {0, 1}), RandomStream(5)).rows.inputs == toy_set(6, {0, 1}).rows.inputs);
  CHECK(balance_classes(toy_set(6, {0, 1}), RandomStream(5)).notes.empty());
  CHECK(balance_classes(toy_set(6), RandomStream(5)).rows.size() == 6);
  CHECK(contains(message_of<DataError>([] {
                   balance_classes(toy_set(6, {0, 2}), RandomStream(5));
                 }),
                 "a class has no rows"));
}

TEST_CASE("Balanced classes: given splits follow their rows") {
  TableSet set = toy_set(6, {0, 1, 1});
  set.tuning = RowSplit{{5, 0, 1}, {4, 2, 3}};
  const TableSet balanced = balance_classes(set, RandomStream(5));
  REQUIRE(balanced.rows.size() == 4);
  std::vector<double> train, kept;
  for (const Index row : balanced.tuning->train) train.push_back(balanced.rows.inputs(row, 0));
  for (const Index row : set.tuning->train)
    for (Index i = 0; i < 4; ++i)
      if (balanced.rows.inputs(i, 0) == static_cast<double>(row)) kept.push_back(static_cast<double>(row));
  CHECK(train == kept);
  CHECK(balanced.tuning->train.size() + balanced.tuning->test.size() == 4);
}

TEST_CASE("The numerical variant drops one-hot groups and keeps the names of the others") {
  TableSet set = toy_set(3);
  set.rows.inputs = Matrix<double>(3, 4);
  set.rows.inputs << 1, 0, 1, 5, 2, 1, 0, 6, 3, 0, 1, 7;
  set.rows.feature_names = {"a", "c=u", "c=v", "b"};
  set.rows.column_groups = {{"a", 0, 1, false}, {"c", 1, 2, true}, {"b", 3, 1, false}};
  const TableSet numeric = numeric_columns_only(set);
  Matrix<double> inputs(3, 2);
  inputs << 1, 5, 2, 6, 3, 7;
  CHECK(numeric.rows.inputs == inputs);
  CHECK(numeric.rows.feature_names == std::vector<std::string>{"a", "b"});
  REQUIRE(numeric.rows.column_groups.size() == 2);
  CHECK(numeric.rows.column_groups[1] == ColumnGroup{"b", 1, 1, false});
  CHECK(contains(numeric.notes.back(), "columns of categories left out: c"));
  CHECK(numeric_columns_only(numeric).notes.size() == numeric.notes.size());

  set.rows.column_groups = {{"a", 0, 4, true}};
  CHECK(contains(message_of<DataError>([&] { numeric_columns_only(set); }), "none is left"));
}
