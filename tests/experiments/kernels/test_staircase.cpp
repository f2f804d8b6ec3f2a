// Errors degree by degree, against test rows, and where they cross a level.
#include <cmath>
#include <memory>

#include "experiments/kernels/separation/gegenbauer.h"
#include "experiments/kernels/separation/staircase.h"
#include "rfm/kernel_fit.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::experiments;

TEST_CASE("staircase: the errors of all degrees of a polynomial kernel add up to the error on test rows") {
  const Index d = 5, n = 30;
  rfm::KernelSpec spec;
  spec.family = rfm::KernelFamily::polynomial;
  spec.degree = 3;
  const auto x = std::make_shared<const Matrix<double>>(sphere_points(n, d, RandomStream(1)));
  std::vector<Vector<double>> directions(1);  // degree 0 has none
  Matrix<double> y = Matrix<double>::Zero(n, 1);
  const Matrix<double> test = sphere_points(100000, d, RandomStream(2));
  Matrix<double> truth = Matrix<double>::Zero(test.rows(), 1);
  for (Index l = 1; l <= 3; ++l) {
    directions.push_back(sphere_points(1, d, RandomStream(static_cast<std::uint64_t>(10 + l))).row(0).normalized());
    y += gegenbauer_target(l, directions.back(), *x);
    truth += gegenbauer_target(l, directions.back(), test);
  }
  rfm::SolverOptions solver;
  solver.ridge = 1;
  const auto fit =
      rfm::fit_kernel_machine<double>(spec, FeatureMatrix<double>::identity(d), x, y, solver, RandomStream(0));
  double sum = 0;
  for (Index l = 0; l <= 3; ++l) {
    const double error = degree_error(fit.machine, l, directions[static_cast<std::size_t>(l)],
                                      degree_eigenvalue(fit.machine.kernel(), d, l));
    CHECK(error >= 0);
    sum += error;
  }
  const double measured = (fit.machine.predict(test) - truth).squaredNorm() / static_cast<double>(test.rows());
  CHECK(measured > 0.3);  // something is left to be told apart
  CHECK(sum == Approx(measured).epsilon(0.03));
}

TEST_CASE("staircase: a crossing is interpolated over the logarithm of the size") {
  CHECK(crossing({10, 100, 1000}, {1, 0.75, 0.25}, 0.5) == Approx(std::pow(10, 2.5)));
  CHECK(crossing({10, 1000}, {0.6, 0.2}, 0.5) == Approx(std::pow(10, 1.5)));
  CHECK(std::isnan(crossing({10, 100}, {0.4, 0.1}, 0.5)));  // already there
  CHECK(std::isnan(crossing({10, 100}, {0.9, 0.8}, 0.5)));  // never
}
