#include "rfm/random_features/spectral_density.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/linalg/linalg.h"
#include "rfm/random_features/random_laws.h"

namespace ansatz::rfm {
namespace {

/// A heavy tail's draws are cut here, far beyond where a phase w.u is noise, so that products with them stay finite.
constexpr double kLargest = 1e12;

double normal(RandomStream& stream) { return stream.normal(); }
double one(RandomStream&) { return 1; }
double inverse_normal(RandomStream& stream) { return 1 / std::abs(stream.normal()); }

SpectralDensity isotropic(const Kernel& kernel, std::function<double(RandomStream&)> scale, bool heavy_tailed = false) {
  return {FeatureFunction::fourier, true, heavy_tailed, kernel.bandwidth(), std::move(scale), normal, kernel};
}

/// Of exp(-|u|_p^q / L^q), q <= p <= 2: if T is positive and (q/p)-stable, E exp(-T |u|_p^p) = exp(-|u|_p^q), and the
/// inner function is that of T^(1/p) times independent p-stable coordinates.
SpectralDensity stable(const Kernel& kernel, double p, double q) {
  if (p == 2 && q == 1) return isotropic(kernel, inverse_normal, true);
  if (p == 2)
    return isotropic(
        kernel, [q](RandomStream& stream) { return std::sqrt(2 * positive_stable(q / 2, stream)); }, q < 2);
  return {FeatureFunction::fourier,
          false,
          true,
          kernel.bandwidth(),
          [p, q](RandomStream& stream) { return std::pow(positive_stable(q / p, stream), 1 / p); },
          [p](RandomStream& stream) { return symmetric_stable(p, stream); },
          kernel};
}

/// Of the Matern kernel of smoothness nu: multivariate t of 2 nu degrees of freedom.
SpectralDensity matern(const Kernel& kernel, int twice_nu) {
  return isotropic(kernel, [twice_nu](RandomStream& stream) {
    double chi_square = 0;
    for (int i = 0; i < twice_nu; ++i) {
      const double z = stream.normal();
      chi_square += z * z;
    }
    return std::sqrt(twice_nu / chi_square);
  });
}

double bounded(double value) { return std::clamp(value, -kLargest, kLargest); }

/// One hidden layer of ReLU in He's scaling, without biases.
bool plain_layer(const KernelSpec& spec) {
  const KernelSpec plain;
  return spec.depth == 1 && spec.activation == plain.activation && spec.weight_std == plain.weight_std &&
         spec.bias_std == plain.bias_std;
}

}  // namespace

std::optional<SpectralDensity> spectral_density(const Kernel& kernel) {
  const KernelSpec& spec = kernel.spec();
  switch (spec.family) {
    case KernelFamily::laplace:
      return stable(kernel, 2, 1);
    case KernelFamily::gaussian:
      return isotropic(kernel, one);
    case KernelFamily::generalized_laplace:
      return stable(kernel, 2, spec.exponent);
    case KernelFamily::matern32:
      return matern(kernel, 3);
    case KernelFamily::matern52:
      return matern(kernel, 5);
    case KernelFamily::rational_quadratic: {
      const double alpha = spec.exponent;
      return isotropic(kernel,
                       [alpha](RandomStream& stream) { return std::sqrt(standard_gamma(alpha, stream) / alpha); });
    }
    case KernelFamily::lpq_laplace:
    case KernelFamily::product_laplace:
      return stable(kernel, spec.norm, spec.exponent);
    case KernelFamily::nngp:
      if (!plain_layer(spec)) return std::nullopt;
      return SpectralDensity{FeatureFunction::relu, true, false, 1, one, normal, kernel};
    case KernelFamily::ntk:
    case KernelFamily::polynomial:
      return std::nullopt;
  }
  throw std::logic_error("a kernel family that is not in the list");
}

SpectralDensity cauchy_kernel_density(double bandwidth) {
  KernelSpec coordinates;
  coordinates.family = KernelFamily::product_laplace;
  coordinates.bandwidth = bandwidth;
  return {FeatureFunction::fourier, false, false, bandwidth, one, double_exponential, Kernel::make(coordinates)};
}

std::string kernels_with_density() {
  std::string names;
  for (const KernelInfo& info : kernel_table()) {
    KernelSpec spec;
    spec.family = info.family;
    if (spectral_density(Kernel::make(spec))) names += (names.empty() ? "" : ", ") + info.name;
  }
  return names + " (one hidden layer of ReLU with the default scales)";
}

Matrix<double> draw_frequencies(const SpectralDensity& density, Index count, Index width, RandomStream stream) {
  Matrix<double> w(count, width);
  for (Index i = 0; i < count; ++i) {
    const double scale = bounded(density.scale(stream));
    for (Index j = 0; j < width; ++j) w(i, j) = scale * bounded(density.coordinate(stream)) / density.bandwidth;
  }
  return w;
}

Matrix<double> draw_orthogonal_frequencies(const SpectralDensity& density, Index count, Index width,
                                           RandomStream stream) {
  if (!density.isotropic) throw std::logic_error("orthogonal frequencies of a density that is not isotropic");
  Matrix<double> w = draw_frequencies(density, count, width, stream.named("lengths"));
  RandomStream directions = stream.named("directions");
  if (width == 0) return w;  // M = 0
  for (Index first = 0; first < count; first += width) {
    // The rows of Q in a normal matrix's X = L Q are uniform on the orthogonal group once their signs are random.
    Matrix<double> q = lq_decomposition<double>(directions.normal_matrix<double>(width, width)).q;
    const Index rows = std::min(width, count - first);
    for (Index i = 0; i < rows; ++i) {
      const double sign = directions.uniform() < 0.5 ? -1 : 1;
      w.row(first + i) = sign * w.row(first + i).norm() * q.row(i);
    }
  }
  return w;
}

}  // namespace ansatz::rfm
