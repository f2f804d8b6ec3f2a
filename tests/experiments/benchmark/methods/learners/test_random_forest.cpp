// Accuracies of scikit-learn 1.9: the tables of learner_tables.h, seeds 1 and 2, 400 rows each;
// RandomForestClassifier(250) has 0.915 to 0.930 over 5 seeds (mean 0.924), RandomForestRegressor(250,
// max_features=1/3) an R² of 0.8415 to 0.8432.
#include "tests/experiments/benchmark/methods/learners/learner_tables.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::testing;

TEST_CASE("Random forest: as accurate as scikit-learn's") {
  const Dataset<double> classes = class_table(1, 400), class_test = class_table(2, 400);
  double mean = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    mean += accuracy(predictions("{kind: random_forest}", classes, class_test.inputs, seed), class_test) / 3;
  CHECK(mean > 0.91);

  const Dataset<double> numbers = number_table(1, 400), number_test = number_table(2, 400);
  const Matrix<double> predicted = predictions("{kind: random_forest}", numbers, number_test.inputs);
  CHECK(evaluate(predicted, number_test).r2 > 0.83);
}

// OpenCV holds values that differ by less than 2.4e-7 for equal, and fails at some that differ by rounding
// (opencv issue 6307).
TEST_CASE("Random forest: the scale of columns does not matter") {
  Dataset<double> train = class_table(1, 200);
  Matrix<double> asked = uniform_table(2, 100);
  const Matrix<double> expected = predictions("{kind: random_forest, trees: 20}", train, asked);
  for (const auto& [shift, scale] : {std::pair{0.0, 1e-9}, {0.0, 1e12}, {1e9, 1.0}, {0.0, 1e-30}}) {
    Dataset<double> scaled = train;
    scaled.inputs.col(0) = shift + scale * train.inputs.col(0).array();
    Matrix<double> scaled_asked = asked;
    scaled_asked.col(0) = shift + scale * asked.col(0).array();
    CHECK(identical(predictions("{kind: random_forest, trees: 20}", scaled, scaled_asked), expected));
  }
}

TEST_CASE("Random forest: values that differ by rounding") {
  Matrix<double> x(3, 1);
  x << 4.13313675, 4.13313627, 4.13313627;
  const Dataset<double> train = one_hot(x, {1, 1, 0}, 2);
  const Matrix<double> scores = predictions("{kind: random_forest, trees: 200}", train, x);
  CHECK(scores(0, 1) > 0.8);  // 0.85: the row is in 70 % of the samples, and the others tell nothing
  CHECK(scores(1, 1) < scores(0, 1));
}

TEST_CASE("Random forest: a deep tree of few rows separates all of them") {
  const Dataset<double> train = class_table(1, 150);
  const Matrix<double> own = predictions("{kind: random_forest, trees: 100, max_features: all}", train, train.inputs);
  CHECK(accuracy(own, train) > 0.99);
  const Matrix<double> stumps = predictions("{kind: random_forest, trees: 100, max_depth: 1}", train, train.inputs);
  CHECK(accuracy(stumps, train) < 0.9);
  const Matrix<double> one_leaf =
      predictions("{kind: random_forest, trees: 100, min_samples_split: 1000}", train, train.inputs);
  CHECK((one_leaf.rowwise() - one_leaf.row(0)).isZero(0));
}

TEST_CASE("Random forest: votes are shares of the number of trees, whatever lots they are grown in") {
  const Dataset<double> train = class_table(1, 100);
  for (const int trees : {1, 9, 10, 11, 25}) {
    const Matrix<double> votes =
        trees * predictions("{kind: random_forest, trees: " + std::to_string(trees) + "}", train, train.inputs);
    CHECK((votes.array() - votes.array().round()).abs().maxCoeff() < 1e-9);
    CHECK((votes.rowwise().sum().array() - trees).abs().maxCoeff() < 1e-9);
  }
}
