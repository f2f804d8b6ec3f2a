#include "experiments/kernels/separation/gegenbauer.h"

#include <cmath>

namespace ansatz::experiments {
namespace {

constexpr Index kAngles = 4000;
constexpr double kPi = 3.14159265358979323846;

}  // namespace

Matrix<double> sphere_points(Index n, Index dimension, RandomStream stream) {
  Matrix<double> x = stream.normal_matrix<double>(n, dimension);
  const double radius = std::sqrt(static_cast<double>(dimension));
  for (Index i = 0; i < n; ++i) x.row(i) *= radius / x.row(i).norm();
  return x;
}

double harmonic_count(Index dimension, Index degree) {
  if (degree == 0) return 1;
  // (2l + d - 2)/l times (l + d - 3 choose l - 1).
  double count = static_cast<double>(2 * degree + dimension - 2) / static_cast<double>(degree);
  for (Index i = 1; i < degree; ++i) count *= static_cast<double>(dimension - 2 + i) / static_cast<double>(i);
  return std::round(count);
}

Matrix<double> gegenbauer(Index dimension, Index degree, const Matrix<double>& cosines) {
  Matrix<double> before = Matrix<double>::Ones(cosines.rows(), cosines.cols());
  if (degree == 0) return before;
  Matrix<double> now = cosines;
  const auto d = static_cast<double>(dimension);
  for (Index l = 1; l < degree; ++l) {
    const auto k = static_cast<double>(l);
    Matrix<double> next = ((2 * k + d - 2) * cosines.array() * now.array() - k * before.array()).matrix() / (k + d - 2);
    before = std::move(now);
    now = std::move(next);
  }
  return now;
}

Matrix<double> gegenbauer_target(Index degree, const Vector<double>& direction, const MatrixView<double>& x) {
  const Index d = x.cols();
  const Matrix<double> cosines = x * direction / std::sqrt(static_cast<double>(d));
  return std::sqrt(harmonic_count(d, degree)) * gegenbauer(d, degree, cosines);
}

double kernel_eigenvalue(const std::function<Matrix<double>(const Matrix<double>&)>& k, Index dimension, Index degree) {
  // The angle has density proportional to sin^(d-2); midpoints avoid the ends.
  Matrix<double> cosines(kAngles, 1), weights(kAngles, 1);
  for (Index i = 0; i < kAngles; ++i) {
    const double angle = kPi * (static_cast<double>(i) + 0.5) / static_cast<double>(kAngles);
    cosines(i, 0) = std::cos(angle);
    weights(i, 0) = std::pow(std::sin(angle), static_cast<double>(dimension - 2));
  }
  const Matrix<double> values = k(cosines).cwiseProduct(gegenbauer(dimension, degree, cosines));
  return values.cwiseProduct(weights).sum() / weights.sum();
}

}  // namespace ansatz::experiments
