// Harmonics by degree, against closed forms, quadrature and Hermite polynomials.
#include <cmath>

#include "experiments/kernels/separation/gegenbauer.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::experiments;

namespace {

constexpr double kPi = 3.14159265358979323846;

Matrix<double> one(double t) { return Matrix<double>::Constant(1, 1, t); }

/// The mean of f over the cosines of uniform points in d dimensions, by Simpson's rule over the angle.
template <class F>
double mean_over_cosines(Index d, F&& f) {
  double sum = 0, mass = 0;
  constexpr int kSteps = 2000;
  for (int i = 0; i <= kSteps; ++i) {
    const double angle = kPi * i / kSteps, weight = (i == 0 || i == kSteps) ? 1 : (i % 2 == 1 ? 4 : 2);
    const double density = weight * std::pow(std::sin(angle), static_cast<double>(d - 2));
    sum += density * f(std::cos(angle));
    mass += density;
  }
  return sum / mass;
}

}  // namespace

TEST_CASE("gegenbauer: closed forms of degrees 0 to 3, and Legendre's and Chebyshev's relatives") {
  for (const double t : {-1.0, -0.6, 0.0, 0.3, 1.0})
    for (const Index d : {3, 5, 20}) {
      INFO(t << " " << d);
      const auto n = static_cast<double>(d);
      CHECK(gegenbauer(d, 0, one(t))(0, 0) == 1);
      CHECK(gegenbauer(d, 1, one(t))(0, 0) == t);
      CHECK(gegenbauer(d, 2, one(t))(0, 0) == Approx((n * t * t - 1) / (n - 1)).margin(1e-14));
      CHECK(gegenbauer(d, 3, one(t))(0, 0) == Approx(((n + 2) * t * t * t - 3 * t) / (n - 1)).margin(1e-14));
    }
  for (const double t : {-0.7, 0.2, 0.9})  // Legendre's of degree 4; in 4 dimensions sin((l+1)a) / ((l+1) sin a)
  {
    CHECK(gegenbauer(3, 4, one(t))(0, 0) == Approx((35 * std::pow(t, 4) - 30 * t * t + 3) / 8));
    const double angle = std::acos(t);
    CHECK(gegenbauer(4, 5, one(t))(0, 0) == Approx(std::sin(6 * angle) / (6 * std::sin(angle))));
  }
}

TEST_CASE("gegenbauer: degrees are orthogonal, and the mean square is one over the number of harmonics") {
  CHECK(harmonic_count(3, 4) == 9);   // 2l + 1
  CHECK(harmonic_count(4, 3) == 16);  // (l + 1)^2
  CHECK(harmonic_count(20, 2) == 209);
  CHECK(harmonic_count(8, 3) == 112);
  for (const Index d : {3, 6, 20})
    for (Index l = 0; l <= 4; ++l)
      for (Index m = 0; m <= l; ++m) {
        INFO(d << " " << l << " " << m);
        const double mean = mean_over_cosines(
            d, [&](double t) { return gegenbauer(d, l, one(t))(0, 0) * gegenbauer(d, m, one(t))(0, 0); });
        CHECK(mean * harmonic_count(d, l) == Approx(l == m ? 1 : 0).margin(1e-9));
      }
}

TEST_CASE("gegenbauer targets: mean square 1 on the sphere, and near Hermite's in many dimensions") {
  const Index d = 10;
  const Matrix<double> x = sphere_points(20000, d, RandomStream(3));
  CHECK(x.rowwise().squaredNorm().isApproxToConstant(static_cast<double>(d), 1e-12));
  Vector<double> w = Vector<double>::LinSpaced(d, -1, 2).normalized();
  for (Index l = 1; l <= 3; ++l) {
    const Matrix<double> f = gegenbauer_target(l, w, x);
    CHECK(f.mean() == Approx(0).margin(0.04));
    CHECK(f.squaredNorm() / 20000 == Approx(1).margin(0.07));
    CHECK(f.cwiseProduct(gegenbauer_target(l + 1, w, x)).mean() == Approx(0).margin(0.07));
  }
  const Index many = 100000;
  Matrix<double> point = Matrix<double>::Zero(1, many);
  point(0, 0) = 1.7;
  const Vector<double> axis = Vector<double>::Unit(many, 0);
  CHECK(gegenbauer_target(3, axis, point)(0, 0) == Approx((1.7 * 1.7 * 1.7 - 3 * 1.7) / std::sqrt(6.0)).epsilon(1e-3));
}

TEST_CASE("kernel eigenvalues: of powers of the cosine in closed form") {
  const auto square = [](const Matrix<double>& t) -> Matrix<double> { return t.cwiseProduct(t); };
  // t^2 = 1/d + (d - 1)/d P_2, and the mean square of P_2 is 1/N.
  for (const Index d : {3, 8, 16}) {
    const auto n = static_cast<double>(d);
    CHECK(kernel_eigenvalue(square, d, 0) == Approx(1 / n));
    CHECK(kernel_eigenvalue(square, d, 1) == Approx(0).margin(1e-12));
    CHECK(kernel_eigenvalue(square, d, 2) == Approx((n - 1) / n / harmonic_count(d, 2)));
  }
}
