// Measures from a kernel matrix's spectrum against their definitions through inverses, hat matrices and refitting.
#include <Eigen/LU>

#include "core/base/error.h"
#include "core/linalg/alignment.h"
#include "rfm/measures/kernel_measures.h"
#include "rfm/pairs/kernel_matrix.h"
#include "tests/rfm/support.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::rfm;
using namespace ansatz::rfm::test;

namespace {

constexpr Index kRows = 40;

Matrix<double> laplace_matrix(Index rows = kRows) {
  return kernel_matrix<double>(Kernel::make(spec_of(KernelFamily::laplace, 3)), FeatureMatrix<double>::identity(4),
                               normal(rows, 4, 1));
}

/// (K + ridge I)^-1 by Eigen's LU.
Matrix<double> inverse_of(const Matrix<double>& k, double ridge) {
  Eigen::MatrixXd system = k;
  system.diagonal().array() += ridge;
  return system.inverse();
}

Matrix<double> centering(Index n) {
  return Matrix<double>::Identity(n, n) - Matrix<double>::Constant(n, n, 1 / double(n));
}

/// The mean squared error, at each row, of the machine without it.
double refitted_error(const Matrix<double>& k, const Matrix<double>& y, double ridge) {
  double sum = 0;
  for (Index i = 0; i < k.rows(); ++i) {
    std::vector<Index> others;
    for (Index j = 0; j < k.rows(); ++j)
      if (j != i) others.push_back(j);
    const Matrix<double> rest = y(others, Eigen::all), row = k(i, others);
    const Matrix<double> inside = k(others, others);
    sum += (row * (inverse_of(inside, ridge) * rest) - y.row(i)).squaredNorm();
  }
  return sum / double(y.size());
}

}  // namespace

TEST_CASE("measures of a ridge are those of their definitions") {
  const Matrix<double> k = laplace_matrix(), y = normal(kRows, 3, 2);
  const KernelMeasures measures(k, y);
  const double n = double(kRows);
  for (const double ridge : {0.0, 1e-3, 0.1, 10.0}) {
    CAPTURE(ridge);
    const Matrix<double> inverse = inverse_of(k, ridge), hat = k * inverse;
    const RidgeMeasures found = measures.at(ridge);
    CHECK(found.ridge == ridge);
    CHECK(found.degrees_of_freedom == Approx(hat.trace()).epsilon(1e-9));
    CHECK(found.mean_inverse == Approx(inverse.trace() / n).epsilon(1e-9));
    CHECK(found.target_norm == Approx((y.transpose() * inverse * y).trace() / n).epsilon(1e-9));
    const double training = (y - hat * y).squaredNorm() / double(y.size());
    CHECK(found.training_error == Approx(training).epsilon(1e-9).margin(1e-20));
    CHECK(found.leave_one_out_error == Approx(refitted_error(k, y, ridge)).epsilon(1e-9));
    if (ridge > 0) {
      const double left = 1 - hat.trace() / n;
      CHECK(found.generalized_cross_validation == Approx(training / (left * left)).epsilon(1e-7));
    }
  }
  // Without a ridge, generalized cross-validation is the limit of small ones.
  CHECK(measures.at(0).generalized_cross_validation ==
        Approx(measures.at(1e-7).generalized_cross_validation).epsilon(1e-4));
  CHECK(relative_error(measures.leave_one_out(0.1), measures.leave_one_out(0.1 + 1e-9)) < 1e-6);
}

TEST_CASE("generalized cross-validation is leave-one-out where all leverages are equal") {
  Matrix<double> k(kRows, kRows);  // circulant
  for (Index i = 0; i < kRows; ++i)
    for (Index j = 0; j < kRows; ++j) k(i, j) = std::exp(std::cos(2 * kPi * double(i - j) / double(kRows)));
  const KernelMeasures measures(k, normal(kRows, 1, 3));
  const RidgeMeasures found = measures.at(0.3);
  CHECK(found.generalized_cross_validation == Approx(found.leave_one_out_error).epsilon(1e-10));
}

TEST_CASE("alignment with the targets is that of its formula") {
  const Matrix<double> k = laplace_matrix(), h = centering(kRows);
  const Matrix<double> y = (normal(kRows, 2, 4).array() + 0.7).matrix(), both = y * y.transpose();
  const KernelMeasures measures(k, y);
  CHECK(measures.target_alignment() == Approx(k.cwiseProduct(both).sum() / (k.norm() * both.norm())).epsilon(1e-10));
  CHECK(measures.target_alignment() == Approx(target_alignment(k, y)).epsilon(1e-10));
  const Matrix<double> centered = h * k * h, centered_both = h * both * h;
  const double want = centered.cwiseProduct(centered_both).sum() / (centered.norm() * centered_both.norm());
  CHECK(measures.centered_target_alignment() == Approx(want).epsilon(1e-10));
  CHECK(std::abs(want - measures.target_alignment()) > 0.01);  // the two tell something else
}

TEST_CASE("invariances of the measures") {
  const Matrix<double> k = laplace_matrix(), y = normal(kRows, 2, 5);
  const KernelMeasures measures(k, y);
  const double scale = 7;
  const KernelMeasures scaled(scale * k, y), rotated(k, y * Matrix<double>{{0.6, 0.8}, {-0.8, 0.6}});
  CHECK(scaled.target_alignment() == Approx(measures.target_alignment()));
  CHECK(scaled.effective_rank() == Approx(measures.effective_rank()));
  CHECK(scaled.at(scale * 0.1).degrees_of_freedom == Approx(measures.at(0.1).degrees_of_freedom));
  CHECK(scaled.at(scale * 0.1).leave_one_out_error == Approx(measures.at(0.1).leave_one_out_error));
  CHECK(scaled.at(scale * 0.1).target_norm == Approx(measures.at(0.1).target_norm / scale));
  CHECK(rotated.centered_target_alignment() == Approx(measures.centered_target_alignment()));
  CHECK(rotated.at(0.1).generalized_cross_validation == Approx(measures.at(0.1).generalized_cross_validation));
  CHECK(rotated.at(0.1).leave_one_out_error == Approx(measures.at(0.1).leave_one_out_error));
  const KernelMeasures shifted(k + Matrix<double>::Constant(kRows, kRows, 3.0), (y.array() + 2).matrix());
  CHECK(shifted.centered_target_alignment() == Approx(measures.centered_target_alignment()).epsilon(1e-9));
  CHECK(measures.target_shares().sum() == Approx(1));
  CHECK(measures.eigenvalues().sum() == Approx(double(kRows)));
}

TEST_CASE("measures at the ends of what kernels can be") {
  const Matrix<double> identity = Matrix<double>::Identity(kRows, kRows), y = normal(kRows, 1, 6);
  const KernelMeasures none(identity, y);
  CHECK(none.effective_rank() == Approx(double(kRows)));
  CHECK(none.target_alignment() == Approx(1 / std::sqrt(double(kRows))));
  CHECK(none.at(1).degrees_of_freedom == Approx(kRows / 2.0));
  CHECK(none.at(1).leave_one_out_error == Approx(y.squaredNorm() / double(kRows)));  // predicts 0 elsewhere
  const KernelMeasures perfect(y * y.transpose(), y);
  CHECK(perfect.effective_rank() == Approx(1));
  CHECK(perfect.target_alignment() == Approx(1));
  CHECK(perfect.target_shares()[0] == Approx(1));
  CHECK_THROWS_AS(perfect.at(0), NumericalError);
  CHECK(KernelMeasures(Matrix<double>::Ones(kRows, kRows), y).centered_target_alignment() == 0);
  CHECK(KernelMeasures(identity, Matrix<double>::Ones(kRows, 1)).centered_target_alignment() == 0);
  CHECK(KernelMeasures(identity, Matrix<double>::Zero(kRows, 1)).target_shares().sum() == 0);
}

TEST_CASE("measures refuse what is no kernel matrix") {
  const Matrix<double> k = laplace_matrix(), y = normal(kRows, 1, 7);
  CHECK_THROWS_AS(KernelMeasures(k, Matrix<double>(y.topRows(5))), DataError);
  CHECK_THROWS_AS(KernelMeasures(Matrix<double>(k.topRows(5)), y), DataError);
  CHECK_THROWS_AS(KernelMeasures(-k, y), NumericalError);
  CHECK_THROWS_AS(KernelMeasures(k, y).at(-1), ConfigError);
  Matrix<double> missing = y;
  missing(3, 0) = std::nan("");
  CHECK_THROWS_AS(KernelMeasures(k, missing), NumericalError);
}
