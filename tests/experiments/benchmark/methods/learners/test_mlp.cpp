// Accuracies of scikit-learn 1.9: the tables of learner_tables.h, seeds 1 and 2, 400 rows each, StandardScaler,
// MLPClassifier and MLPRegressor((64, 64), learning_rate_init=0.003, batch_size=64, max_iter=100, alpha=0) over 5
// seeds.
#include "tests/experiments/benchmark/methods/learners/learner_tables.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::testing;

namespace {

const std::string kNetwork =
    "kind: mlp, layers: 2, width: 64, optimizer: adam, learning_rate: 0.003, batch_size: 64, epochs: 100";

}  // namespace

TEST_CASE("Network: as accurate as scikit-learn's") {
  const Dataset<double> classes = class_table(1, 400), class_test = class_table(2, 400);
  double mean = 0;  // scikit-learn: 0.9225 to 0.9425, mean 0.9325
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    mean += accuracy(predictions("{" + kNetwork + "}", classes, class_test.inputs, seed), class_test) / 3;
  CHECK(mean > 0.915);
  CHECK(accuracy(predictions("{" + kNetwork + ", loss: mse}", classes, class_test.inputs), class_test) > 0.9);

  const Dataset<double> numbers = number_table(1, 400), number_test = number_table(2, 400);
  const Matrix<double> predicted = predictions("{" + kNetwork + "}", numbers, number_test.inputs);
  CHECK(evaluate(predicted, number_test).r2 > 0.975);  // scikit-learn: 0.981 to 0.984
}

TEST_CASE("Network: the folds take the number of epochs that was best on the selection rows") {
  const Dataset<double> fit = class_table(1, 200), selection = class_table(3, 200);
  const auto network = method("{" + kNetwork + ", patience: 10}").method;
  const experiments::MethodChoice choice = network->search(fit, selection, RandomStream(1));
  CHECK(choice.iteration >= 1);
  CHECK(choice.iteration <= 100);
  const std::string epochs = kNetwork.substr(0, kNetwork.rfind("100")) + std::to_string(choice.iteration);
  const Matrix<double> found = network->fit_predict(choice, fit, selection.inputs, false, RandomStream(1)).predictions;
  CHECK(identical(found, predictions("{" + epochs + "}", fit, selection.inputs)));
  // The score of the search is that of these epochs.
  CHECK(accuracy(found, selection) == *choice.tuning.chosen_cell().validation->accuracy);
}

TEST_CASE("Network: patience ends a training that gets no better") {
  const Dataset<double> fit = class_table(1, 60), selection = class_table(3, 60);
  const auto best_epoch = [&](const char* patience) {
    const auto network = method("{" + kNetwork + ", patience: " + patience + "}").method;
    return network->search(fit, selection, RandomStream(1)).iteration;
  };
  CHECK(best_epoch("1") < best_epoch("0"));  // the first epoch that is worse than another ends it
}

TEST_CASE("Network: a cell that diverges is noted by the key to change, and not chosen") {
  const Dataset<double> fit = number_table(1, 100), selection = number_table(2, 50);
  const auto network =
      method("{kind: mlp, layers: 3, width: 32, optimizer: sgd, epochs: 20, tune: {learning_rate: [1.0e+5, 0.01]}}")
          .method;
  const experiments::MethodChoice choice = network->search(fit, selection, RandomStream(1));
  CHECK(choice.tuning.chosen == 1);
  CHECK_FALSE(choice.tuning.cells[0].validation);
  CHECK(choice.tuning.cells[0].failure.find("lower learning_rate") != std::string::npos);
}
