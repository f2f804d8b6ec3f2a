// The protocol of a benchmark: which rows a method is given, and for what.
#include <set>

#include "core/base/error.h"
#include "experiments/benchmark/set_run.h"
#include "experiments/benchmark/worse_than_constant.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::experiments;

namespace {

using Rows = std::vector<Index>;

/// A row's first input is its number.
Rows numbers_in(const Matrix<double>& inputs) {
  Rows rows;
  for (Index i = 0; i < inputs.rows(); ++i) rows.push_back(static_cast<Index>(inputs(i, 0)));
  return rows;
}

/// Notes the rows that it is given. Predicts the first class with probability `right` of the inputs' second column.
struct Recorder final : Method {
  struct Fit {
    Rows train, test;
    bool keeps_features = false;
  };
  mutable std::vector<std::pair<Rows, Rows>> searches;
  mutable std::vector<Fit> fits;
  bool learns = false, fails = false;

  MethodChoice search(const Dataset<double>& fit, const Dataset<double>& selection,
                      const RandomStream&) const override {
    searches.emplace_back(numbers_in(fit.inputs), numbers_in(selection.inputs));
    if (fails) throw NumericalError("not today");
    MethodChoice choice;
    choice.tuning.axes = {{"ridge", {"1", "2"}, false}};
    choice.tuning.cells = {{{"1"}, Metrics{0.5}, "", 0}, {{"2"}, Metrics{0.75}, "", 0}};
    choice.tuning.chosen = 1;
    if (learns) {
      choice.iteration = 3;
      choice.features = FeatureMatrix<double>::diagonal_form(Vector<double>{{4, 9}});
    }
    return choice;
  }

  MethodFit fit_predict(const MethodChoice& choice, const Dataset<double>& train, const Matrix<double>& inputs,
                        bool keep_features, const RandomStream&) const override {
    fits.push_back({numbers_in(train.inputs), numbers_in(inputs), keep_features});
    MethodFit fit;
    fit.predictions = Matrix<double>::Zero(inputs.rows(), 2);
    fit.predictions.col(0).setOnes();  // always the first class
    if (keep_features) fit.features = choice.features;
    if (learns && !keep_features) fit.features = FeatureMatrix<double>::diagonal_form(Vector<double>{{1, 2}});
    return fit;
  }

  Index cells() const override { return 2; }
  bool learns_features() const override { return learns; }
  Cost search_cost(const FitSize&) const override { return {}; }
  Cost fit_cost(const FitSize&) const override { return {}; }
};

/// 12 rows; every third is of the first class.
TableSet small_set() {
  TableSet set;
  set.name = "small";
  set.rows.task = Task::classification;
  set.rows.class_names = {"a", "b"};
  set.rows.inputs = Matrix<double>::Zero(12, 2);
  set.rows.targets = Matrix<double>::Zero(12, 2);
  for (Index i = 0; i < 12; ++i) {
    set.rows.inputs(i, 0) = static_cast<double>(i);
    set.rows.targets(i, i % 3 == 0 ? 0 : 1) = 1;
  }
  set.tuning = RowSplit{{0, 1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 11}};
  set.folds = {{{3, 4, 5, 6, 7, 8, 9, 10, 11}, {0, 1, 2}}, {{0, 1, 2, 4, 5, 7, 8, 10, 11}, {3, 6, 9}}};
  return set;
}

std::vector<MethodOnSet> run(const std::shared_ptr<Recorder>& method, Protocol protocol, const TableSet& set,
                             const BenchmarkOptions& options = {}) {
  const RandomStream stream(1);
  return run_method({"m", "kernel", method}, protocol, set, rounds_of(set, options, stream), stream);
}

}  // namespace

TEST_CASE("options are chosen on the selection rows, and each fold is fitted and tested on its own", "[benchmark]") {
  const auto method = std::make_shared<Recorder>();
  const TableSet set = small_set();
  const std::vector<MethodOnSet> results = run(method, Protocol::clean, set);
  REQUIRE(method->searches.size() == 1);
  CHECK(method->searches[0] == std::make_pair(set.tuning->train, set.tuning->test));
  REQUIRE(method->fits.size() == 2);
  for (std::size_t k = 0; k < 2; ++k) {
    CHECK(method->fits[k].train == set.folds[k].train);
    CHECK(method->fits[k].test == set.folds[k].test);
    CHECK_FALSE(method->fits[k].keeps_features);
  }
  REQUIRE(results.size() == 1);
  CHECK(results[0].method == "m");
  CHECK(results[0].choice == std::vector<std::pair<std::string, std::string>>{{"ridge", "2"}});
  CHECK(results[0].trials == 2);
  CHECK(results[0].validation->accuracy == 0.75);
  REQUIRE(results[0].folds.size() == 2);
  CHECK(results[0].folds[0].accuracy == Approx(1.0 / 3));  // row 0 of 0, 1, 2
  CHECK(results[0].folds[1].accuracy == 1);                // all of 3, 6, 9
}

TEST_CASE("methods that a constant beats are named", "[benchmark]") {
  TableSet set = small_set();
  const std::vector<Round> rounds = rounds_of(set, {}, RandomStream(1));
  // The second class is the most frequent one in both training parts: 2 of 3 test rows, then none.
  BenchmarkSet results;
  const auto add = [&](const std::string& name, double score) {
    MethodOnSet one;
    one.method = name;
    one.folds.resize(2);
    for (BenchmarkScore& fold : one.folds) fold.accuracy = fold.r2 = score;
    results.results.push_back(one);
  };
  add("good", 0.34);
  CHECK(worse_than_constant(results, set, rounds).empty());
  add("bad", 0.33);
  add("worst", -1);
  CHECK(worse_than_constant(results, set, rounds) ==
        "less often right than the most frequent class of the training rows (33.3 %): bad, worst");
  set.rows.task = Task::regression;
  CHECK(worse_than_constant(results, set, rounds) == "worse than the mean of the targets (R² below 0): worst");
  results.results[2].folds.clear();  // it failed
  CHECK(worse_than_constant(results, set, rounds).empty());
}

TEST_CASE("what a constant reaches on many rows is the share of its class", "[benchmark]") {
  TableSet set = small_set();
  set.rows.inputs = Matrix<double>::Zero(80, 2);
  set.rows.targets = Matrix<double>::Zero(80, 2);
  RowSplit fold;
  for (Index i = 0; i < 80; ++i) {
    set.rows.targets(i, i % 2) = 1;
    (i < 60 ? fold.train : fold.test).push_back(i);
  }
  Round round;
  round.folds = {fold, fold};
  BenchmarkSet results;
  results.results.resize(1);
  results.results[0].method = "m";
  results.results[0].folds.resize(2);
  for (const double accuracy : {0.49, 0.51}) {
    for (BenchmarkScore& score : results.results[0].folds) score.accuracy = accuracy;
    const std::string says = worse_than_constant(results, set, {round});
    CHECK(says.empty() == (accuracy > 0.5));
    if (accuracy < 0.5) CHECK_THAT(says, Catch::Contains("(50.0 %)"));
  }
}

TEST_CASE("random splits are chosen on apart from the rows that they are tested on", "[benchmark]") {
  const auto method = std::make_shared<Recorder>();
  TableSet set = small_set();
  set.tuning.reset();
  set.folds.clear();
  BenchmarkOptions options;
  CHECK_THROWS_AS(run(method, Protocol::clean, set, options), DataError);
  options.splits = SplitKind::random;
  const std::vector<MethodOnSet> results = run(method, Protocol::clean, set, options);
  REQUIRE(method->searches.size() > 1);
  REQUIRE(method->fits.size() == method->searches.size());
  CHECK(results[0].folds.size() == method->fits.size());
  for (std::size_t r = 0; r < method->fits.size(); ++r) {
    const auto& [fit, selection] = method->searches[r];
    std::set<Index> seen(fit.begin(), fit.end());
    seen.insert(selection.begin(), selection.end());
    CHECK(method->fits[r].train == fit);
    REQUIRE_FALSE(method->fits[r].test.empty());
    for (const Index row : method->fits[r].test) CHECK(seen.count(row) == 0);
  }
  for (const Index repeats : {2, 7}) {  // the rule says 5
    options.random.repeats = repeats;
    CHECK(run(std::make_shared<Recorder>(), Protocol::clean, set, options)[0].folds.size() ==
          static_cast<std::size_t>(repeats));
  }
}

TEST_CASE("the two protocols differ in where the features of a fold come from", "[benchmark]") {
  const auto method = std::make_shared<Recorder>();
  method->learns = true;
  const std::vector<MethodOnSet> results = run(method, Protocol::both, small_set());
  REQUIRE(results.size() == 2);
  CHECK(results[0].method == "m (clean)");
  CHECK(results[1].method == "m (authors)");
  REQUIRE(method->searches.size() == 1);
  REQUIRE(method->fits.size() == 4);
  CHECK_FALSE(method->fits[0].keeps_features);
  CHECK(method->fits[1].keeps_features);
  CHECK(results[0].features->learned_from == "the training rows of the first fold");
  CHECK(results[0].features->diagonal == Vector<double>{{1, 2}});
  CHECK(results[1].features->learned_from == "the tuning split");
  CHECK(results[1].features->diagonal == Vector<double>{{4, 9}});
  CHECK(results[1].choice.back() == std::pair<std::string, std::string>{"iterations", "3"});
  CHECK(run(method, Protocol::authors, small_set())[0].method == "m");
  CHECK(method->fits.back().keeps_features);
}

TEST_CASE("a method without features is one column whatever the protocol", "[benchmark]") {
  const auto method = std::make_shared<Recorder>();
  CHECK(run(method, Protocol::both, small_set()).size() == 1);
  CHECK(method->fits.size() == 2);
}

TEST_CASE("a method that fails says so and has no scores", "[benchmark]") {
  const auto method = std::make_shared<Recorder>();
  method->fails = true;
  const std::vector<MethodOnSet> results = run(method, Protocol::clean, small_set());
  CHECK(results[0].failure == "not today");
  CHECK(results[0].folds.empty());
}
