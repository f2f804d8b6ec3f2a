// The kernels as their formulas are written, pair by pair in long double, and their gradients by finite differences:
// what the library's kernels and gradients are tested against.
#pragma once

#include <Eigen/Eigenvalues>
#include <cmath>
#include <vector>

#include "rfm/kernels/kernel.h"

namespace ansatz::textbook {

using Long = long double;

/// One of a family, with parameters that keep all entries far from 0 and 1 on unit-scale data.
inline rfm::KernelSpec spec_of(rfm::KernelFamily family, double bandwidth, double exponent = 1, Index depth = 1) {
  rfm::KernelSpec spec;
  spec.family = family;
  spec.bandwidth = bandwidth;
  spec.exponent = exponent;
  spec.depth = depth;
  return spec;
}

inline rfm::KernelSpec lpq(double norm, double exponent, double bandwidth) {
  rfm::KernelSpec spec = spec_of(rfm::KernelFamily::lpq_laplace, bandwidth, exponent);
  spec.norm = norm;
  return spec;
}

inline rfm::KernelSpec polynomial(Index degree, double scale, double offset) {
  rfm::KernelSpec spec;
  spec.family = rfm::KernelFamily::polynomial;
  spec.degree = degree;
  spec.scale = scale;
  spec.offset = offset;
  return spec;
}

/// nngp or ntk.
inline rfm::KernelSpec network(rfm::KernelFamily family, rfm::Activation activation, double weight_std, double bias_std,
                               Index depth) {
  rfm::KernelSpec spec = spec_of(family, 1, 1, depth);
  spec.activation = activation;
  spec.weight_std = weight_std;
  spec.bias_std = bias_std;
  return spec;
}

/// What is tested of a family: each way through its code.
inline std::vector<rfm::KernelSpec> samples_of(rfm::KernelFamily family) {
  using rfm::KernelFamily;
  switch (family) {
    case KernelFamily::laplace:
      return {spec_of(family, 3)};
    case KernelFamily::gaussian:
      return {spec_of(family, 2.5)};
    case KernelFamily::generalized_laplace:
      return {spec_of(family, 3, 0.7), spec_of(family, 3, 1.4)};
    case KernelFamily::matern32:
      return {spec_of(family, 3)};
    case KernelFamily::matern52:
      return {spec_of(family, 3)};
    case KernelFamily::rational_quadratic:
      return {spec_of(family, 3, 0.7), spec_of(family, 2, 40)};
    case KernelFamily::lpq_laplace:  // each way to take a power
      return {lpq(1, 0.7, 6), lpq(1.5, 1.5, 5), lpq(1.3, 1, 6), lpq(2, 1.2, 3)};
    case KernelFamily::product_laplace:
      return {spec_of(family, 8)};
    case KernelFamily::nngp:
      return {spec_of(family, 1, 1, 1), spec_of(family, 1, 1, 3), network(family, rfm::Activation::relu, 1.2, 0.4, 2),
              network(family, rfm::Activation::erf, 1.5, 0.05, 1)};
    case KernelFamily::ntk:
      return {spec_of(family, 1, 1, 1), spec_of(family, 1, 1, 2), spec_of(family, 1, 1, 4),
              network(family, rfm::Activation::relu, 1.3, 0.5, 3), network(family, rfm::Activation::erf, 1.4, 0.3, 2)};
    case KernelFamily::polynomial:
      return {polynomial(2, 0.5, 0), polynomial(3, 0.2, 1)};
  }
  return {};
}

/// What kernels are functions of.
struct SlowPair {
  Long square;                       ///< |x-z|_M^2
  std::vector<Long> root;            ///< M^1/2 (x-z)
  Long product, x_square, z_square;  ///< <x,z>_M, <x,x>_M, <z,z>_M
};

inline Long p_norm(const std::vector<Long>& u, Long p) {
  Long sum = 0;
  for (const Long value : u) sum += std::pow(std::abs(value), p);
  return std::pow(sum, 1 / p);
}

/// E[f(u) f(v)] and E[f'(u) f'(v)] for normal u, v of variances q, p and covariance s.
struct Expectations {
  Long values, slopes;
};
inline Expectations expectations(rfm::Activation f, Long s, Long q, Long p) {
  const Long pi = std::acos(Long(-1));
  if (f == rfm::Activation::linear) return {s, 1};
  if (f == rfm::Activation::erf) {
    const Long product = (1 + 2 * q) * (1 + 2 * p);
    return {2 / pi * std::asin(2 * s / std::sqrt(product)), 4 / pi / std::sqrt(product - 4 * s * s)};
  }
  if (q * p == 0) return {0, Long(0.25)};
  const Long u = std::min<Long>(1, std::max<Long>(-1, s / std::sqrt(q * p))), rest = pi - std::acos(u);
  return {std::sqrt(q * p) * (u * rest + std::sqrt(1 - u * u)) / (2 * pi), rest / (2 * pi)};
}

/// Sigma or Theta after all layers of a network.
inline Long wide_network(const SlowPair& pair, const rfm::KernelSpec& spec, bool tangent) {
  const Long gain = Long(spec.weight_std) * Long(spec.weight_std), offset = Long(spec.bias_std) * Long(spec.bias_std);
  Long sigma = pair.product, theta = sigma, xx = pair.x_square, zz = pair.z_square;
  for (Index layer = 0; layer < spec.depth; ++layer) {
    const Expectations e = expectations(spec.activation, sigma, xx, zz);
    sigma = gain * e.values + offset;
    theta = sigma + gain * theta * e.slopes;
    xx = gain * expectations(spec.activation, xx, xx, xx).values + offset;
    zz = gain * expectations(spec.activation, zz, zz, zz).values + offset;
  }
  return tangent ? theta : sigma;
}

inline Long slow_value(const rfm::KernelSpec& s, const SlowPair& pair) {
  using rfm::KernelFamily;
  const Long r = std::sqrt(std::max<Long>(0, pair.square)), bandwidth = s.bandwidth;
  switch (s.family) {
    case KernelFamily::laplace:
      return std::exp(-r / bandwidth);
    case KernelFamily::gaussian:
      return std::exp(-r * r / (2 * bandwidth * bandwidth));
    case KernelFamily::generalized_laplace:
      return std::exp(-std::pow(r / bandwidth, Long(s.exponent)));
    case KernelFamily::matern32:
      return (1 + std::sqrt(3.0L) * r / bandwidth) * std::exp(-std::sqrt(3.0L) * r / bandwidth);
    case KernelFamily::matern52:
      return (1 + std::sqrt(5.0L) * r / bandwidth + 5 * r * r / (3 * bandwidth * bandwidth)) *
             std::exp(-std::sqrt(5.0L) * r / bandwidth);
    case KernelFamily::rational_quadratic:
      return std::pow(1 + r * r / (2 * Long(s.exponent) * bandwidth * bandwidth), -Long(s.exponent));
    case KernelFamily::lpq_laplace:
      return std::exp(-std::pow(p_norm(pair.root, s.norm) / bandwidth, Long(s.exponent)));
    case KernelFamily::product_laplace:
      return std::exp(-p_norm(pair.root, 1) / bandwidth);
    case KernelFamily::nngp:
      return wide_network(pair, s, false);
    case KernelFamily::ntk:
      return wide_network(pair, s, true);
    case KernelFamily::polynomial:
      return std::pow(Long(s.scale) * pair.product + Long(s.offset), Long(s.degree));
  }
  return 0;
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

using LongVector = Eigen::Matrix<Long, Eigen::Dynamic, 1>;

inline Long kernel_in_long(const rfm::KernelSpec& s, const Matrix<double>& m, const LongVector& x,
                           const LongVector& z) {
  const auto metric = m.cast<Long>();
  const LongVector difference = x - z, root = symmetric_root(m).cast<Long>() * difference;
  return slow_value(s, {difference.dot(metric * difference),
                        {root.data(), root.data() + root.size()},
                        x.dot(metric * z),
                        x.dot(metric * x),
                        z.dot(metric * z)});
}

/// K(x, z; M) for one pair.
inline double slow_kernel(const rfm::KernelSpec& s, const Matrix<double>& m, const Vector<double>& x,
                          const Vector<double>& z) {
  return static_cast<double>(kernel_in_long(s, m, LongVector(x.cast<Long>()), LongVector(z.cast<Long>())));
}

/// grad_x K(x, z; M), by differences of fourth order; 0 where x = z in a kernel of a distance.
inline Vector<double> slow_gradient(const rfm::KernelSpec& s, const Matrix<double>& m, const Vector<double>& x,
                                    const Vector<double>& z) {
  const Long step = 1e-4L;
  Vector<double> gradient = Vector<double>::Zero(x.size());
  if (x == z && rfm::info_of(s.family).shape != rfm::KernelShape::dot_product) return gradient;
  const LongVector to = z.cast<Long>();
  for (Index k = 0; k < x.size(); ++k) {
    const auto at = [&](Long times) {
      LongVector moved = x.cast<Long>();
      moved[k] += times * step;
      return kernel_in_long(s, m, moved, to);
    };
    gradient[k] = static_cast<double>((8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * step));
  }
  return gradient;
}

}  // namespace ansatz::textbook
