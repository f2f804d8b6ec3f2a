#include <limits>

#include "core/error.h"
#include "core/normalization.h"
#include "core/random.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;

namespace {

template <class Scalar>
Split<Scalar> random_split() {
  RandomStream stream(3);
  Split<Scalar> split;
  for (Dataset<Scalar>* part : {&split.train, &split.validation, &split.test}) {
    part->inputs = stream.normal_matrix<Scalar>(200, 7) * Scalar(3);
    part->inputs.col(1).array() += Scalar(1000);  // a large mean must not cost digits
    part->inputs.col(4).setConstant(Scalar(0.1));
    part->targets = Matrix<Scalar>::Zero(200, 1);
  }
  split.test.inputs.row(5).setZero();
  return split;
}

template <class Scalar>
constexpr double kRounding = sizeof(Scalar) == 4 ? 2e-4 : 1e-12;  // a deviation of 3 around 1000 in 24 or 53 bits

}  // namespace

TEMPLATE_TEST_CASE("unit_norm scales each row, and leaves a row of zeros", "", float, double) {
  Split<TestType> split = random_split<TestType>();
  const Matrix<TestType> before = split.test.inputs;
  normalize(split, Normalization::unit_norm);
  CHECK((split.train.inputs.rowwise().norm().array() - 1).abs().maxCoeff() < 1e-6);
  CHECK(split.test.inputs.row(5).isZero(0));
  CHECK(split.test.inputs(0, 1) == Approx(before(0, 1) / before.row(0).norm()));
  CHECK(split.notes.size() == 1);
}

TEMPLATE_TEST_CASE("standardize takes mean and deviation from the training rows only", "", float, double) {
  Split<TestType> split = random_split<TestType>();
  const Matrix<double> train = split.train.inputs.template cast<double>(),
                       test = split.test.inputs.template cast<double>();
  normalize(split, Normalization::standardize);
  const Matrix<double> scaled = split.train.inputs.template cast<double>();
  for (const Index j : {0, 1, 2, 3, 5, 6}) {
    const double mean = train.col(j).mean();
    const double deviation = std::sqrt((train.col(j).array() - mean).square().mean());
    CHECK(std::abs(scaled.col(j).mean()) < kRounding<TestType>);
    CHECK(scaled.col(j).squaredNorm() / 200 == Approx(1).epsilon(kRounding<TestType>));
    CHECK(split.test.inputs(7, j) == Approx((test(7, j) - mean) / deviation).epsilon(kRounding<TestType>));
  }
  CHECK(split.train.inputs.col(4).isZero(0));  // constant: only centred
  CHECK(std::abs(split.test.inputs(5, 4) + 0.1) < 1e-7);
  CHECK(contains(split.notes.at(0), "1 constant column"));
}

TEMPLATE_TEST_CASE("min_max maps the training rows onto [0, 1]", "", float, double) {
  Split<TestType> split = random_split<TestType>();
  const double low = split.train.inputs.col(2).minCoeff(), high = split.train.inputs.col(2).maxCoeff();
  const double value = split.test.inputs(9, 2);
  normalize(split, Normalization::min_max);
  for (const Index j : {0, 1, 2, 3, 5, 6}) {
    CHECK(split.train.inputs.col(j).minCoeff() == 0);
    CHECK(split.train.inputs.col(j).maxCoeff() == 1);
  }
  CHECK(split.train.inputs.col(4).isZero(0));
  CHECK(split.test.inputs(9, 2) == Approx((value - low) / (high - low)).epsilon(kRounding<TestType>));
}

TEST_CASE("scaling leaves nothing to say about the expected AGOP of unscaled inputs") {
  Split<double> split = random_split<double>();
  split.truth.emplace();
  normalize(split, Normalization::none);
  CHECK(split.truth);
  normalize(split, Normalization::unit_norm);
  CHECK_FALSE(split.truth);
  CHECK(contains(split.notes.back(), "expected AGOP"));
}

TEMPLATE_TEST_CASE("missing values become the mean of the training rows", "", float, double) {
  const TestType nan = std::numeric_limits<TestType>::quiet_NaN();
  Split<TestType> split;
  split.train.inputs.resize(3, 2);
  split.train.inputs << 1, 4, nan, 6, 4, nan;
  split.test.inputs.resize(1, 2);
  split.test.inputs << nan, nan;
  fill_missing_with_mean(split, {"a", "b"});
  CHECK(split.train.inputs(1, 0) == TestType(2.5));
  CHECK(split.train.inputs(2, 1) == TestType(5));
  CHECK(split.test.inputs(0, 0) == TestType(2.5));
  CHECK(split.notes.size() == 1);

  split.train.inputs.col(1).setConstant(nan);
  CHECK(contains(message_of<DataError>([&] { fill_missing_with_mean(split, {"a", "b"}); }), "column \"b\""));
}
