// Leave-one-out predictions in closed form against machines fitted without each row.
#include "core/base/error.h"
#include "rfm/pairs/kernel_matrix.h"
#include "rfm/solvers/leave_one_out.h"
#include "tests/rfm/support.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::rfm;
using namespace ansatz::rfm::test;

namespace {

const KernelSpec kKernel = spec_of(KernelFamily::laplace, 3);

/// The machine without row i predicts row i; by Eigen's LU.
Matrix<double> by_refitting(const Matrix<double>& k, const Matrix<double>& y, double ridge) {
  const Index n = k.rows();
  Matrix<double> result(n, y.cols());
  for (Index i = 0; i < n; ++i) {
    std::vector<Index> others;
    for (Index j = 0; j < n; ++j)
      if (j != i) others.push_back(j);
    Matrix<double> system = k(others, others);
    system.diagonal().array() += ridge;
    const Matrix<double> rest = y(others, Eigen::all);
    const Matrix<double> alpha = Eigen::PartialPivLU<Eigen::MatrixXd>(system).solve(rest);
    const Matrix<double> row = k(i, others);
    result.row(i) = row * alpha;
  }
  return result;
}

std::vector<double> many_ridges() {
  std::vector<double> ridges;
  for (std::size_t i = 0; i < kSpectralRidges; ++i) ridges.push_back(1e-4 * std::pow(2.0, double(i)));
  return ridges;
}

}  // namespace

TEST_CASE("leave-one-out predictions are those of machines fitted without the row") {
  const Matrix<double> x = normal(60, 4, 1), y = normal(60, 3, 2);
  const Matrix<double> k = kernel_matrix<double>(Kernel::make(kKernel), FeatureMatrix<double>::identity(4), x);
  for (const std::vector<double>& ridges : {std::vector<double>{1e-3, 0.1, 10, 0}, many_ridges()}) {
    const std::vector<Matrix<double>> found = leave_one_out<double>(k, y, ridges);
    REQUIRE(found.size() == ridges.size());
    for (std::size_t r = 0; r < ridges.size(); ++r) {
      CAPTURE(ridges[r]);
      CHECK(relative_error(found[r], by_refitting(k, y, ridges[r])) < 1e-10);
    }
  }
}

TEST_CASE("leave-one-out predictions of a kernel machine in float32") {
  const Matrix<float> x = normal<float>(50, 4, 3), y = normal<float>(50, 2, 4);
  const FeatureMatrix<float> metric = FeatureMatrix<float>::diagonal_form(Vector<float>{{1, 2, 0.5f, 0.1f}});
  const Matrix<float> k = kernel_matrix<float>(Kernel::make(kKernel), metric, x);
  const Matrix<double> found = leave_one_out<float>(k, y, {0.01}).front();
  for (const Index left_out : {0, 17, 49}) {
    std::vector<Index> others;
    for (Index j = 0; j < 50; ++j)
      if (j != left_out) others.push_back(j);
    const KernelFit<float> fit =
        fit_kernel_machine<float>(kKernel, metric, share<float>(x(others, Eigen::all)), y(others, Eigen::all),
                                  solver(SolverKind::cholesky, 0.01), RandomStream(1));
    const Matrix<double> alone = fit.machine.predict(x.row(left_out)).cast<double>();
    CHECK((found.row(left_out) - alone).norm() < 1e-4 * alone.norm());
  }
}

TEST_CASE("both ways to leave-one-out predictions refuse a singular system") {
  Matrix<double> x = normal(20, 4, 5);
  x.row(1) = x.row(0);  // the same row twice: K has no inverse
  const Matrix<double> y = normal(20, 1, 6);
  const Matrix<double> k = kernel_matrix<double>(Kernel::make(kKernel), FeatureMatrix<double>::identity(4), x);
  CHECK_THROWS_AS(leave_one_out<double>(k, y, {0.0}), NumericalError);
  std::vector<double> ridges = many_ridges();
  ridges.back() = 0;
  CHECK(contains(message_of<NumericalError>([&] { leave_one_out<double>(k, y, ridges); }), "use a larger ridge"));
  CHECK_THROWS_AS(leave_one_out<double>(k, y, {-1.0}), ConfigError);
  CHECK_THROWS_AS(leave_one_out<double>(k, normal(19, 1, 6), {1.0}), DataError);
}
