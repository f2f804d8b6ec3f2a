// Scaling of inputs and the form of targets, as every method of a benchmark uses them.
#include <cmath>
#include <limits>

#include "experiments/benchmark/methods/input_scaling.h"
#include "experiments/benchmark/methods/target_form.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::experiments;

namespace {

Matrix<double> matrix(Index rows, Index columns, const std::vector<double>& values) {
  return Eigen::Map<const Matrix<double>>(values.data(), rows, columns);
}

}  // namespace

TEST_CASE("quantile_normal scales as scikit-learn's QuantileTransformer", "[benchmark]") {
  // QuantileTransformer(n_quantiles=1000, output_distribution="normal").fit(train).transform(test), scikit-learn 1.7
  const Matrix<double> train = matrix(5, 2, {1, 5, 2, 5, 2, 7, 4, -1, 10, 0.5});
  const Matrix<double> test = matrix(7, 2, {0, 5, 1, 6, 2, 8, 3, -1, 7, -3, 10, 0, 12, 0.5});
  const Matrix<double> expected =
      matrix(7, 2,
             {-5.199337582605575, 0.31863936396437514, -5.199337582605575, 1.1503493803760079, -0.31863936396437514,
              5.19933758270342, 0.31863936396437514, -5.199337582605575, 1.1503493803760079, -5.199337582605575,
              5.19933758270342, -0.967421566101701, 5.19933758270342, -0.6744897501960817});
  const Matrix<double> scaled = InputScaling(ScalingKind::quantile_normal, train).apply(test);
  CHECK((scaled - expected).cwiseAbs().maxCoeff() < 1e-8);
}

TEST_CASE("quantile_normal interpolates between a thousand quantiles", "[benchmark]") {
  Matrix<double> train(2500, 1);
  for (Index i = 0; i < 2500; ++i) train(i, 0) = static_cast<double>(i * i % 1777) / 10;
  const Matrix<double> test = matrix(8, 1, {0, 0.1, 3.3, 50, 88.85, 120.1, 177, 200});
  const Matrix<double> expected =
      matrix(8, 1,
             {-5.199337582605575, -3.0899351529977443, -2.0232920792351936, -0.568685529724306, 0.005018295886876199,
              0.4565514975533087, 2.5423491803817977, 5.19933758270342});
  const Matrix<double> scaled = InputScaling(ScalingKind::quantile_normal, train).apply(test);
  CHECK((scaled - expected).cwiseAbs().maxCoeff() < 1e-8);
}

TEST_CASE("scaling learns from the training rows alone", "[benchmark]") {
  const Matrix<double> train = matrix(4, 2, {1, 7, 2, 7, 3, 7, 6, 7}), other = matrix(2, 2, {100, 7, 3, -50});
  for (const ScalingKind kind :
       {ScalingKind::none, ScalingKind::unit_norm, ScalingKind::standardize, ScalingKind::quantile_normal}) {
    const InputScaling scaling(kind, train);
    const Matrix<double> alone = scaling.apply(other.topRows(1)), beside = scaling.apply(other);
    CHECK(alone.row(0) == beside.row(0));
    CHECK(beside.allFinite());
  }
  const Matrix<double> standard = InputScaling(ScalingKind::standardize, train).apply(train);
  CHECK(standard.col(0).mean() == Approx(0).margin(1e-15));
  CHECK(standard.col(0).squaredNorm() / 4 == Approx(1));
  CHECK(standard.col(1).isZero());
  CHECK(InputScaling(ScalingKind::quantile_normal, train).apply(train).col(1).isZero(1e-15));
  CHECK(InputScaling(ScalingKind::unit_norm, train).apply(train).rowwise().norm().isOnes(1e-15));
  CHECK(InputScaling(ScalingKind::none, train).apply(other) == other);
}

TEST_CASE("missing values become the mean of the training rows", "[benchmark]") {
  const double missing = std::numeric_limits<double>::quiet_NaN();
  const Matrix<double> train = matrix(3, 1, {1, missing, 4});
  CHECK(InputScaling(ScalingKind::none, train).apply(matrix(1, 1, {missing}))(0, 0) == 2.5);
}

TEST_CASE("targets of a regression are brought to a form and back, classes stay", "[benchmark]") {
  Dataset<double> train;
  train.targets = matrix(4, 2, {-100, 3, 0, 3, 5, 3, 2000, 3});
  for (const TargetTransform transform : {TargetTransform::none, TargetTransform::signed_log}) {
    const TargetForm form(transform, train);
    const Matrix<double> y = form.apply(train.targets);
    CHECK(y.col(0).mean() == Approx(0).margin(1e-12));
    CHECK(y.col(0).squaredNorm() / 4 == Approx(1));
    CHECK(y.col(1).isZero(1e-12));
    CHECK((form.undo(y) - train.targets).cwiseAbs().maxCoeff() < 1e-9);
  }
  const TargetForm log(TargetTransform::signed_log, train);
  const double a = std::log(101.0), b = std::log(6.0), c = std::log(2001.0), mean = (-a + b + c) / 4;
  const Matrix<double> y = log.apply(train.targets);
  CHECK((y(3, 0) - y(1, 0)) / (y(2, 0) - y(1, 0)) == Approx(c / b));
  CHECK(y(1, 0) / (y(3, 0) - y(1, 0)) == Approx(-mean / c));
  train.task = Task::classification;
  CHECK(TargetForm(TargetTransform::signed_log, train).apply(train.targets) == train.targets);
  CHECK(TargetForm(TargetTransform::signed_log, train).undo(train.targets) == train.targets);
}
