#include <limits>

#include "core/base/error.h"
#include "core/features/agop.h"
#include "tests/support/catch.h"
#include "tests/support/matrices.h"
#include "tests/support/predictors.h"

using namespace ansatz;
using namespace ansatz::testing;

namespace {

Matrix<double> stacked_symmetric(Index c, Index d) {
  Matrix<double> stacked(c * d, d);
  for (Index j = 0; j < c; ++j) {
    const Matrix<double> s = random_matrix(d, d, 50 + std::uint64_t(j));
    stacked.middleRows(j * d, d) = s + s.transpose();
  }
  return stacked;
}

class NotFinite final : public Predictor<double> {
 public:
  Index input_dimension() const override { return 2; }
  Index output_dimension() const override { return 1; }
  Matrix<double> predict(const MatrixView<double>& x) const override { return Matrix<double>::Zero(x.rows(), 1); }
  Matrix<double> input_jacobian(const MatrixView<double>& x) const override {
    return Matrix<double>::Constant(x.rows(), 2, std::numeric_limits<double>::quiet_NaN());
  }
};

}  // namespace

TEST_CASE("The outer product of a linear function is A^T A, and 0 when centred") {
  const Matrix<double> a = random_matrix(3, 8), x = random_matrix(20, 8, 2);
  const LinearPredictor<double> f(a);
  CHECK(relative_error(agop(f, x).to_dense(), Matrix<double>(a.transpose() * a)) < 1e-14);
  AgopOptions centred;
  centred.center = true;
  CHECK(agop(f, x, centred).to_dense().norm() < 1e-14 * a.squaredNorm());
}

TEST_CASE("The outer product of a quadratic function is sum_j S_j (X^T X / m) S_j") {
  const Index c = 3, d = 7, m = 31;
  const Matrix<double> s = stacked_symmetric(c, d), x = random_matrix(m, d, 4).array() + 0.5;
  const QuadraticPredictor<double> f(s);
  const Matrix<double> second_moment = x.transpose() * x / double(m);
  const Eigen::RowVectorXd mean = x.colwise().mean();
  const Matrix<double> covariance = second_moment - mean.transpose() * mean;
  Matrix<double> expected = Matrix<double>::Zero(d, d), expected_centred = expected;
  for (Index j = 0; j < c; ++j) {
    const auto part = s.middleRows(j * d, d);
    expected += part * second_moment * part;
    expected_centred += part * covariance * part;
  }
  for (const Index batch : {Index{1}, Index{7}, m, Index{1000}}) {
    INFO("batch " << batch);
    AgopOptions options;
    options.batch = batch;
    CHECK(relative_error(agop(f, x, options).to_dense(), expected) < 1e-13);
    options.center = true;
    CHECK(relative_error(agop(f, x, options).to_dense(), expected_centred) < 1e-13);
    options.diagonal = true;
    const FeatureMatrix<double> diagonal = agop(f, x, options);
    CHECK(diagonal.form() == FeatureMatrix<double>::Form::diagonal);
    CHECK(relative_error(diagonal.diagonal(), expected_centred.diagonal()) < 1e-13);
  }
}

TEST_CASE("Centred outer product plus that of the mean gradients is the outer product") {
  const Index c = 2, d = 5, m = 12;
  const QuadraticPredictor<double> f(stacked_symmetric(c, d));
  const Matrix<double> x = random_matrix(m, d, 6).array() + 1;
  const Matrix<double> jacobian = f.input_jacobian(x);
  Matrix<double> means = Matrix<double>::Zero(c, d);
  for (Index i = 0; i < m * c; ++i) means.row(i % c) += jacobian.row(i) / double(m);
  AgopOptions centred;
  centred.center = true;
  const Matrix<double> sum = agop(f, x, centred).to_dense() + means.transpose() * means;
  CHECK(relative_error(sum, agop(f, x).to_dense()) < 1e-13);
}

TEST_CASE("A float32 outer product with a large mean gradient is centred without cancellation") {
  const Index d = 4, m = 300;
  const Matrix<double> s = Matrix<double>::Identity(d, d);  // gradient x
  const Matrix<double> x = random_matrix(m, d, 8).array() + 1000;
  AgopOptions centred;
  centred.center = true;
  const Matrix<float> narrow = x.cast<float>();
  const Matrix<double> expected =
      agop(QuadraticPredictor<double>(s), Matrix<double>(narrow.cast<double>()), centred).to_dense();
  // Subtracting means afterwards would leave 1e6 * 6e-8 = 6 % here.
  CHECK(relative_error(agop(QuadraticPredictor<float>(s.cast<float>()), narrow, centred).to_dense(), expected) < 1e-4);
}

TEST_CASE("A right gradient passes the check and a wrong one is caught") {
  const Matrix<double> s = stacked_symmetric(3, 6), x = random_matrix(5, 6, 3);
  CHECK(input_jacobian_error(QuadraticPredictor<double>(s), x) < 1e-8);
  CHECK(input_jacobian_error(QuadraticPredictor<double>(s, 1e-3), x) > 1e-5);  // one output off by 1e-3 of about 10
  CHECK(input_jacobian_error(LinearPredictor<double>(random_matrix(2, 6)), x) < 1e-8);
  CHECK(input_jacobian_error(LinearPredictor<double>(Matrix<double>::Zero(2, 6)), x) == 0);
}

TEST_CASE("Swapped outputs and transposed gradients are caught") {
  class Swapped final : public Predictor<double> {
   public:
    Index input_dimension() const override { return 2; }
    Index output_dimension() const override { return 2; }
    Matrix<double> predict(const MatrixView<double>& x) const override {
      Matrix<double> y(x.rows(), 2);
      y << x.col(0) * 2, x.col(1);
      return y;
    }
    Matrix<double> input_jacobian(const MatrixView<double>& x) const override {
      Matrix<double> one(2, 2);
      one << 0, 1, 2, 0;  // rows belong to the other output
      return one.replicate(x.rows(), 1);
    }
  };
  CHECK(input_jacobian_error(Swapped(), random_matrix(3, 2)) == Approx(1));
}

TEST_CASE("Outer products refuse points that do not fit and gradients that are not finite") {
  const LinearPredictor<double> f(random_matrix(1, 3));
  CHECK_THROWS_AS(agop(f, random_matrix(4, 2)), DataError);
  CHECK_THROWS_AS(agop(f, Matrix<double>(0, 3)), DataError);
  CHECK_THROWS_AS(agop(NotFinite(), random_matrix(2, 2)), NumericalError);
  CHECK_THROWS_AS(input_jacobian_error(NotFinite(), random_matrix(2, 2)), NumericalError);
  const LinearPredictor<float> wide(Matrix<float>::Ones(1, kDenseLimit + 1));
  const Matrix<float> x = Matrix<float>::Ones(1, kDenseLimit + 1);
  CHECK_THROWS_AS(agop(wide, x), MemoryError);
  AgopOptions diagonal;
  diagonal.diagonal = true;
  CHECK(agop(wide, x, diagonal).trace() == Approx(double(kDenseLimit + 1)));
}
