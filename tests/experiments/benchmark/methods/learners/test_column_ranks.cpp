#include <algorithm>
#include <numeric>

#include "experiments/benchmark/methods/learners/column_ranks.h"
#include "tests/experiments/benchmark/methods/learners/learner_tables.h"
#include "tests/support/catch.h"

using namespace ansatz;
using experiments::ColumnRanks;

TEST_CASE("Column ranks: training values become their places, constant columns go") {
  Matrix<double> train(4, 3);
  train << 5, 7, -1,  //
      3, 7, 2,        //
      5, 7, 8,        //
      9, 7, 2;
  const ColumnRanks ranks(train);
  REQUIRE(ranks.columns() == 2);
  Matrix<float> expected(4, 2);
  expected << 1, 0,  //
      0, 1,          //
      1, 2,          //
      2, 1;
  CHECK(ranks.apply(train) == expected);
}

TEST_CASE("Column ranks: other values stay on their side of each split between training values") {
  const Matrix<double> train = testing::uniform_table(1, 40), others = testing::uniform_table(2, 200);
  const ColumnRanks ranks(train);
  const Matrix<float> places = ranks.apply(train), asked = ranks.apply(others);
  for (Index j = 0; j < train.cols(); ++j) {
    std::vector<double> values(train.col(j).begin(), train.col(j).end());
    std::sort(values.begin(), values.end());
    for (Index i = 0; i < others.rows(); ++i)
      for (std::size_t k = 0; k + 1 < values.size(); ++k) {
        const bool left = others(i, j) <= (values[k] + values[k + 1]) / 2;
        REQUIRE((asked(i, j) <= static_cast<float>(k) + 0.5f) == left);
      }
    CHECK(places.col(j).maxCoeff() == 39);
  }
}

TEST_CASE("Column ranks: values that float32 cannot tell apart, and outliers") {
  Matrix<double> train(3, 1);
  train << 1e9, 1e9 + 1e-3, 1e30;
  const ColumnRanks ranks(train);
  Matrix<double> asked(4, 1);
  asked << 1e9, 1e9 + 1e-3, -1e300, 1e300;
  Matrix<float> expected(4, 1);
  expected << 0, 1, -1, 3;
  CHECK(ranks.apply(asked) == expected);
}
