// What all learners have in common: classes, constants, tiny sets, the search, and what a method may see.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "core/base/error.h"
#include "core/machine/interrupt.h"
#include "core/machine/parallel.h"
#include "experiments/benchmark/xgboost/xgboost_library.h"
#include "tests/experiments/benchmark/methods/learners/learner_tables.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::testing;

namespace {

/// Small, so that all cases run on each of them.
std::vector<std::string> learners() {
  std::vector<std::string> sections = {
      "{kind: random_forest, trees: 20}", "{kind: svm, cost: 10, gamma: 0.2}",
      "{kind: mlp, layers: 1, width: 16, epochs: 40, batch_size: 32, learning_rate: 0.01}"};
  if (experiments::has_xgboost()) sections.push_back("{kind: xgboost, rounds: 10, subsample: 0.8}");
  return sections;
}

bool is_network(const std::string& section) { return section.find("mlp") != std::string::npos; }

Dataset<double> without_class(Dataset<double> data, Index missing) {
  std::vector<Index> rows;
  for (Index i = 0; i < data.size(); ++i)
    if (data.targets(i, missing) == 0) rows.push_back(i);
  return data.rows(rows);
}

}  // namespace

TEST_CASE("Learners: scores of classes are shares of one, and above chance") {
  const Dataset<double> train = class_table(1, 200), test = class_table(2, 100);
  for (const std::string& section : learners()) {
    INFO(section);
    const Matrix<double> scores = predictions(section, train, test.inputs);
    REQUIRE(scores.rows() == 100);
    REQUIRE(scores.cols() == 3);
    CHECK(scores.minCoeff() >= 0);
    CHECK((scores.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-5);
    CHECK(accuracy(scores, test) > 0.6);
  }
}

TEST_CASE("Learners: a class that the training rows lack has the score 0, wherever it stands") {
  const Dataset<double> all = class_table(1, 150), test = class_table(2, 40);
  for (const std::string& section : learners())
    for (Index missing = 0; missing < 3; ++missing) {
      INFO(section << " without class " << missing);
      const Matrix<double> scores = predictions(section, without_class(all, missing), test.inputs);
      REQUIRE(scores.cols() == 3);
      CHECK(scores.col(missing).isZero(0));
      const Dataset<double> known = without_class(test, missing);
      CHECK(accuracy(predictions(section, without_class(all, missing), known.inputs), known) > 0.6);
      CHECK((scores.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-5);
    }
}

TEST_CASE("Learners: one class alone, one number alone, or rows that are all alike give the mean of the targets") {
  const Dataset<double> classes = class_table(1, 60);
  Dataset<double> one = without_class(without_class(classes, 0), 2);
  Dataset<double> constant = number_table(1, 30), alike = class_table(1, 30);
  constant.targets.setConstant(-7.5);
  alike.inputs.setConstant(3);
  for (const std::string& section : learners()) {
    INFO(section);
    const Matrix<double> scores = predictions(section, one, classes.inputs);
    CHECK(scores.col(1) == Vector<double>::Ones(60));
    CHECK(scores.col(0).isZero(0));
    CHECK(predictions(section, constant, classes.inputs) == Matrix<double>::Constant(60, 1, -7.5));
    const Matrix<double> shares = alike.targets.colwise().mean().replicate(60, 1);
    CHECK((predictions(section, alike, classes.inputs) - shares).cwiseAbs().maxCoeff() < 1e-12);
  }
}

TEST_CASE("Learners: constant columns, two rows, a single column, no rows to predict") {
  Dataset<double> with_constant = class_table(1, 60), narrow = class_table(1, 60);
  with_constant.inputs.col(2).setConstant(1e6);
  narrow.inputs = Matrix<double>(narrow.inputs.col(0));
  const Dataset<double> two = class_table(1, 60).rows({0, 1}), numbers = number_table(1, 2);
  const Matrix<double> asked = uniform_table(5, 7);
  for (const std::string& section : learners()) {
    INFO(section);
    CHECK(predictions(section, with_constant, asked).allFinite());
    CHECK(predictions(section, narrow, asked.leftCols(1)).allFinite());
    CHECK(predictions(section, two, asked).allFinite());
    const Matrix<double> predicted = predictions(section, numbers, asked);
    CHECK(predicted.allFinite());
    CHECK(predictions(section, numbers, asked.topRows(0)).rows() == 0);
  }
}

TEST_CASE("Learners: two classes as one column are predicted as one column") {
  const Matrix<double> x = uniform_table(1, 200), z = uniform_table(2, 100);
  Dataset<double> train, test;
  for (auto [data, inputs] : {std::pair{&train, &x}, {&test, &z}}) {
    data->inputs = *inputs;
    data->task = Task::classification;
    data->class_names = {"no", "yes"};
    data->targets.resize(inputs->rows(), 1);
    for (Index i = 0; i < inputs->rows(); ++i) data->targets(i, 0) = class_of(*inputs, i) == 1;
  }
  for (const std::string& section : learners()) {
    INFO(section);
    const Matrix<double> scores = predictions(section, train, test.inputs);
    REQUIRE(scores.cols() == 1);
    CHECK(accuracy(scores, test) > 0.75);
  }
}

TEST_CASE("Learners: several outputs of a regression, one of them constant") {
  Dataset<double> train = number_table(1, 120);
  train.targets.conservativeResize(Eigen::NoChange, 3);
  train.targets.col(1) = 100 + 1000 * train.inputs.col(3).array();
  train.targets.col(2).setConstant(4);
  const Dataset<double> test = number_table(2, 50);
  for (const std::string& section : learners()) {
    INFO(section);
    const Matrix<double> predicted = predictions(section, train, test.inputs);
    REQUIRE(predicted.cols() == 3);
    const Vector<double> truth = 100 + 1000 * test.inputs.col(3).array();
    const double error = (predicted.col(1) - truth).squaredNorm();
    CHECK(error < 0.4 * (truth.array() - truth.mean()).square().sum());
    CHECK((predicted.col(2).array() - 4).abs().maxCoeff() < 0.5);
  }
}

TEST_CASE("Learners: what is predicted for a row does not depend on the other rows that are asked for") {
  const Dataset<double> train = class_table(1, 100);
  const Matrix<double> asked = uniform_table(9, 30);
  for (const std::string& section : learners()) {
    INFO(section);
    const Matrix<double> all = predictions(section, train, asked), few = predictions(section, train, asked.topRows(3));
    CHECK((all.topRows(3) - few).cwiseAbs().maxCoeff() <= (is_network(section) ? 1e-6 : 0.0));
  }
}

TEST_CASE("Learners: the same stream gives the same bytes, also for other numbers of threads") {
  const Dataset<double> classes = class_table(1, 120), numbers = number_table(1, 120);
  const Matrix<double> asked = uniform_table(9, 40);
  for (const std::string& section : learners())
    for (const Dataset<double>* train : {&classes, &numbers}) {
      INFO(section);
      const auto on_threads = [&](int threads) {
        const ThreadScope scope(threads);
        return predictions(section, *train, asked);
      };
      const Matrix<double> first = on_threads(1);
      CHECK(identical(first, on_threads(1)));
      if (!is_network(section)) CHECK(identical(first, on_threads(3)));
      if (section.find("svm") == std::string::npos)
        CHECK_FALSE(identical(first, predictions(section, *train, asked, 2)));
    }
}

// In a child, because a signal that has come stays known.
TEST_CASE("Learners: an interruption ends a fit") {
  const Dataset<double> train = class_table(1, 100);
  for (const std::string& section : learners()) {
    INFO(section);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      const ThreadScope scope(1);
      catch_interrupts();
      std::raise(SIGUSR1);
      try {
        predictions(section, train, train.inputs);
      } catch (const Interrupted&) {
        _exit(0);
      }
      _exit(1);
    }
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
  }
}

TEST_CASE("Learners: the search chooses by the selection rows, and the first of equals") {
  const Dataset<double> fit = class_table(1, 200), selection = class_table(2, 100);
  const auto bad_and_good = method("{kind: svm, gamma: 0.2, tune: {cost: [1.0e-9, 10, 10.0001]}}").method;
  CHECK(bad_and_good->cells() == 3);
  const experiments::MethodChoice choice = bad_and_good->search(fit, selection, RandomStream(1));
  REQUIRE(choice.tuning.cells.size() == 3);
  CHECK(choice.tuning.chosen == 1);
  CHECK(*choice.tuning.cells[0].validation->accuracy < *choice.tuning.cells[1].validation->accuracy);
  const Matrix<double> found =
      bad_and_good->fit_predict(choice, fit, selection.inputs, false, RandomStream(1)).predictions;
  CHECK(identical(found, predictions("{kind: svm, gamma: 0.2, cost: 10}", fit, selection.inputs)));
}

TEST_CASE("Learners: selection rows of classes that the fit lacks count as wrong and guide no step") {
  const Dataset<double> fit = without_class(class_table(1, 200), 0), selection = class_table(2, 100);
  const double share = 1 - selection.targets.col(0).mean();
  for (const std::string& section : learners()) {
    INFO(section);
    const experiments::MethodChoice choice = method(section).method->search(fit, selection, RandomStream(1));
    const double all = *choice.tuning.chosen_cell().validation->accuracy;
    CHECK(all > 0.5 * share);
    CHECK(all <= share);
    const experiments::MethodChoice known =
        method(section).method->search(fit, without_class(selection, 0), RandomStream(1));
    CHECK(known.iteration == choice.iteration);
    CHECK(*known.tuning.chosen_cell().validation->accuracy * share == Approx(all));
  }
}

TEST_CASE("Learners: cost grows with the cells and the rows") {
  for (const std::string& section : learners()) {
    INFO(section);
    const auto one = method(section).method;
    const auto two = method(section.substr(0, section.size() - 1) + ", tune: {scaling: [none, standardize]}}").method;
    CHECK(two->search_cost({1000, 10, 3}).flops == Approx(2 * one->search_cost({1000, 10, 3}).flops));
    CHECK(two->fit_cost({1000, 10, 3}).flops == Approx(one->fit_cost({1000, 10, 3}).flops));
    CHECK(one->fit_cost({2000, 10, 3}).flops > 1.2 * one->fit_cost({1000, 10, 3}).flops);
    CHECK(one->fit_cost({1000, 10, 3}).working_bytes > 1000 * 10 * 4);
  }
}

TEST_CASE("Learners: keys out of range and keys of another kind are refused by name") {
  const auto refusal = [](const std::string& section) { return message_of<ConfigError>([&] { method(section); }); };
  CHECK(contains(refusal("{kind: random_forest, max_depth: 26}"), "max_depth"));
  CHECK(contains(refusal("{kind: random_forest, max_features: 1.5}"), "max_features"));
  CHECK(contains(refusal("{kind: random_forest, tune: {max_features: [sqrt, half]}}"), "half"));
  CHECK(contains(refusal("{kind: svm, cost: 0}"), "cost"));
  CHECK(contains(refusal("{kind: svm, epsilon: 0}"), "epsilon"));
  CHECK(contains(refusal("{kind: mlp, optimizer: adam, momentum: 0.9}"), "momentum"));
  CHECK(refusal("{kind: random_forest, max_features: 0.3}").empty());
  if (experiments::has_xgboost()) {
    CHECK(contains(refusal("{kind: xgboost, subsample: 1.5}"), "subsample"));
    CHECK(contains(refusal("{kind: xgboost, tree_method: exact, max_bin: 64}"), "max_bin"));
  } else {
    CHECK(contains(refusal("{kind: xgboost}"), "libxgboost-dev"));
  }
}
