// Accuracies and predictions of scikit-learn 1.9 (LIBSVM): the tables of learner_tables.h, seeds 1 and 2, 400 rows
// each, StandardScaler, SVC(C, gamma) and SVR(C, gamma, epsilon=0.1) of standardised targets.
#include "tests/experiments/benchmark/methods/learners/learner_tables.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::testing;

namespace {

struct Reference {
  std::string options;
  double accuracy, r2;
  std::array<double, 4> numbers;  ///< predicted for the first rows
};

const Reference kReferences[] = {
    {"cost: 1", 0.855, 0.9550340540, {13.27377113, 15.95519174, 12.39857953, 10.89218833}},
    {"cost: 10, gamma: 0.2", 0.865, 0.9651271581, {13.22211505, 16.26955439, 12.78280077, 11.37188245}},
    {"cost: 100, gamma: 0.5", 0.845, 0.8878245431, {13.24982736, 16.09859814, 12.24304264, 13.03555269}}};

}  // namespace

TEST_CASE("SVM: the solutions of LIBSVM, to the solvers' tolerance") {
  const Dataset<double> classes = class_table(1, 400), class_test = class_table(2, 400);
  const Dataset<double> numbers = number_table(1, 400), number_test = number_table(2, 400);
  for (const Reference& reference : kReferences) {
    INFO(reference.options);
    const std::string section = "{kind: svm, " + reference.options + "}";
    CHECK(accuracy(predictions(section, classes, class_test.inputs), class_test) ==
          Approx(reference.accuracy).margin(0.0051));
    const Matrix<double> predicted = predictions(section, numbers, number_test.inputs);
    CHECK(evaluate(predicted, number_test).r2 == Approx(reference.r2).margin(2e-3));
    for (Index i = 0; i < 4; ++i)
      CHECK(predicted(i, 0) == Approx(reference.numbers[static_cast<std::size_t>(i)]).margin(0.05));
  }
}

// OpenCV ends at 1000 iterations unless told otherwise: hard problems then come out nearly at random.
TEST_CASE("SVM: a problem that takes many iterations is solved") {
  const Dataset<double> train = class_table(1, 400);
  const Matrix<double> own = predictions("{kind: svm, cost: 1.0e+6, gamma: 1}", train, train.inputs);
  CHECK(accuracy(own, train) == 1.0);
}

// OpenCV fails where no target lies outside the width that costs nothing: no support vector is left.
TEST_CASE("SVM: a width that costs nothing and that holds all targets") {
  Dataset<double> train = number_table(1, 50);
  const double low = train.targets.minCoeff(), high = train.targets.maxCoeff();
  const Matrix<double> predicted = predictions("{kind: svm, epsilon: 100}", train, train.inputs);
  CHECK((predicted.array() - (low + high) / 2).abs().maxCoeff() < 1e-9);
}

TEST_CASE("SVM: conflicting labels of equal rows, and classes of one row") {
  Matrix<double> x(6, 2);
  x << 0, 0, 0, 0, 0, 0, 1, 1, 2, 0, 0, 2;
  const Dataset<double> train = one_hot(x, {1, 1, 0, 2, 3, 4}, 5);
  const Matrix<double> scores = predictions("{kind: svm, cost: 100, gamma: 1}", train, x);
  Index label = 0;
  for (const auto& [row, expected] : {std::pair<Index, Index>{0, 1}, {3, 2}, {4, 3}, {5, 4}}) {
    scores.row(row).maxCoeff(&label);
    CHECK(label == expected);
  }
}
