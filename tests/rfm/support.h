// What the tests of rfm/ share: the kernels under test, small data, slow and obvious versions.
#pragma once

#include <Eigen/Eigenvalues>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "core/feature_matrix.h"
#include "core/random.h"
#include "rfm/kernel_machine.h"

namespace ansatz::rfm::test {

inline constexpr double kPi = 3.14159265358979323846;

inline KernelSpec spec_of(KernelFamily family, double bandwidth, double exponent = 1, Index depth = 1) {
  KernelSpec spec;
  spec.family = family;
  spec.bandwidth = bandwidth;
  spec.exponent = exponent;
  spec.depth = depth;
  return spec;
}

inline KernelSpec lpq(double norm, double exponent, double bandwidth) {
  KernelSpec spec = spec_of(KernelFamily::lpq_laplace, bandwidth, exponent);
  spec.norm = norm;
  return spec;
}

/// Kernels of a p-norm: each way to take a power.
inline std::vector<KernelSpec> p_norm_kernels() {
  return {spec_of(KernelFamily::product_laplace, 8), lpq(1, 0.7, 6), lpq(1.5, 1.5, 5), lpq(1.3, 1, 6), lpq(2, 1.2, 3)};
}

/// Every family, with parameters that keep all entries far from 0 and 1 on unit-scale data.
inline std::vector<KernelSpec> all_kernels() {
  std::vector<KernelSpec> kernels = {spec_of(KernelFamily::laplace, 3),
                                     spec_of(KernelFamily::gaussian, 2.5),
                                     spec_of(KernelFamily::generalized_laplace, 3, 0.7),
                                     spec_of(KernelFamily::generalized_laplace, 3, 1.4),
                                     spec_of(KernelFamily::nngp, 1, 1, 1),
                                     spec_of(KernelFamily::nngp, 1, 1, 3),
                                     spec_of(KernelFamily::ntk, 1, 1, 1),
                                     spec_of(KernelFamily::ntk, 1, 1, 2),
                                     spec_of(KernelFamily::ntk, 1, 1, 4)};
  for (const KernelSpec& spec : p_norm_kernels()) kernels.push_back(spec);
  return kernels;
}

inline SolverOptions solver(SolverKind kind, double ridge, double tolerance = 1e-5) {
  SolverOptions options;
  options.kind = kind;
  options.ridge = ridge;
  options.tolerance = tolerance;
  return options;
}

template <class Scalar = double>
Matrix<Scalar> normal(Index rows, Index cols, std::uint64_t seed) {
  return RandomStream(seed).normal_matrix<Scalar>(rows, cols);
}

/// A well-conditioned positive definite d x d matrix.
inline Matrix<double> positive_definite(Index d, std::uint64_t seed) {
  const Matrix<double> a = normal(d, d, seed);
  return (a.transpose() * a / double(d) + 0.3 * Matrix<double>::Identity(d, d)).eval();
}

/// M in each form that the library has, all of dimension d; "sandwich" has rank 3.
struct NamedMetric {
  std::string name;
  FeatureMatrix<double> metric;
};
inline std::vector<NamedMetric> all_metrics(Index d) {
  const Vector<double> m = normal(d, 1, 71).array().square() + 0.1;
  const auto factor = std::make_shared<const Matrix<double>>(normal(3, d, 72));
  const auto tall = std::make_shared<const Matrix<double>>(normal(d + 2, d, 74));
  return {{"identity", FeatureMatrix<double>::identity(d)},
          {"diagonal", FeatureMatrix<double>::diagonal_form(m)},
          {"dense", FeatureMatrix<double>::dense(positive_definite(d, 73))},
          {"sandwich", FeatureMatrix<double>::sandwich(factor, positive_definite(3, 75))},
          {"sandwich W^T W", FeatureMatrix<double>::sandwich(*factor)},
          {"sandwich of more rows than d",
           FeatureMatrix<double>::sandwich(tall, positive_definite(d + 2, 76) / double(d))}};
}

/// The symmetric square root, by Eigen's solver; eigenvalues within rounding count as 0. The last one is kept.
inline const Matrix<double>& symmetric_root(const Matrix<double>& m) {
  thread_local Matrix<double> last, root;
  if (last.rows() == m.rows() && last == m) return root;
  const Eigen::SelfAdjointEigenSolver<Matrix<double>> eigen(m);
  const Vector<double>& values = eigen.eigenvalues();
  const Vector<double> roots = (values.array() > 1e-13 * values.maxCoeff()).select(values.array().sqrt(), 0.0);
  root = eigen.eigenvectors() * roots.asDiagonal() * eigen.eigenvectors().transpose();
  last = m;
  return root;
}

/// K(x, z; M) for one pair, in long double, from the formulas in docs/engine.md.
inline double slow_kernel(const KernelSpec& s, const Matrix<double>& m, const Vector<double>& x,
                          const Vector<double>& z) {
  using Long = long double;
  const auto form = [&m](const Vector<double>& a, const Vector<double>& b) {
    Long sum = 0;
    for (Index i = 0; i < m.rows(); ++i)
      for (Index j = 0; j < m.cols(); ++j) sum += Long(a[i]) * m(i, j) * b[j];
    return sum;
  };
  const Vector<double> difference = x - z;
  const Long square = std::max<Long>(0, form(difference, difference)), bandwidth = s.bandwidth;
  switch (s.family) {
    case KernelFamily::laplace:
      return double(std::exp(-std::sqrt(square) / bandwidth));
    case KernelFamily::gaussian:
      return double(std::exp(-square / (2 * bandwidth * bandwidth)));
    case KernelFamily::generalized_laplace:
      return double(std::exp(-std::pow(std::sqrt(square) / bandwidth, Long(s.exponent))));
    case KernelFamily::lpq_laplace:
    case KernelFamily::product_laplace: {
      const bool product = s.family == KernelFamily::product_laplace;
      const Long p = product ? 1 : s.norm, q = product ? 1 : s.exponent;
      const Vector<double> u = symmetric_root(m) * difference;
      Long sum = 0;
      for (Index k = 0; k < u.size(); ++k) sum += std::pow(std::abs(Long(u[k])), p);
      return double(std::exp(-std::pow(std::pow(sum, 1 / p) / bandwidth, q)));
    }
    default:
      break;
  }
  const Long norms = std::sqrt(form(x, x) * form(z, z)), pi = std::acos(Long(-1));
  if (norms == 0) return 0;
  Long sigma = form(x, z), theta = sigma;
  for (Index layer = 0; layer < s.depth; ++layer) {
    const Long u = std::min<Long>(1, std::max<Long>(-1, sigma / norms)), rest = pi - std::acos(u);
    sigma = norms * (u * rest + std::sqrt(1 - u * u)) / pi;
    theta = theta * rest / pi + sigma;
  }
  return double(s.family == KernelFamily::ntk ? theta : sigma);
}

inline double relative_error(const Matrix<double>& got, const Matrix<double>& want) {
  return (got - want).cwiseAbs().maxCoeff() / std::max(1e-300, want.cwiseAbs().maxCoeff());
}

template <class Scalar>
std::shared_ptr<const Matrix<Scalar>> share(Matrix<Scalar> m) {
  return std::make_shared<const Matrix<Scalar>>(std::move(m));
}

/// A machine with random coefficients over `centers`.
inline KernelMachine<double> random_machine(const KernelSpec& spec, const FeatureMatrix<double>& metric,
                                            const Matrix<double>& centers, Index outputs, std::uint64_t seed) {
  return KernelMachine<double>(Kernel::make(spec), metric, share(centers), normal(centers.rows(), outputs, seed));
}

}  // namespace ansatz::rfm::test
