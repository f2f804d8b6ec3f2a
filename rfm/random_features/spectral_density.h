// What the random features of a kernel are drawn from.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/base/matrix.h"
#include "core/base/random.h"
#include "rfm/kernels/kernel.h"

namespace ansatz::rfm {

/// The functions of which a kernel is a mean, K(x, z) = E phi_w(x) phi_w(z) over w ~ p(w):
/// - fourier: the pair (cos w.u, sin w.u), whose product is cos w.(x - z): a function of x - z (Bochner's theorem);
/// - relu: sqrt(2) max(0, w.u), a hidden unit of a network.
enum class FeatureFunction { fourier, relu };

/// p(w) in q coordinates u in which M is the identity: w = s (c_1, ..., c_q) / L with a random scale s > 0 and
/// independent symmetric c_j of one law. So all densities here are: normal c_j and a scale s of 1 (Gaussian kernel),
/// 1/|normal| (Laplace: the multivariate Cauchy law), a chi law's inverse (Matern: multivariate t) or a stable law's
/// root (other exponents), and coordinates that are Cauchy (the Laplace kernel of |u|_1) or double exponential (the
/// product of Cauchy functions).
struct SpectralDensity {
  FeatureFunction function = FeatureFunction::fourier;
  bool isotropic = true;      ///< the c_j are normal: any rotation of w has the same law
  bool heavy_tailed = false;  ///< E |w|^2 is infinite: the kernel has a kink at x = z, and no second derivative there
  double bandwidth = 1;       ///< L
  std::function<double(RandomStream&)> scale;
  std::function<double(RandomStream&)> coordinate;
  /// A kernel for whose coordinates (rfm/pairs/metric_coordinates.h) the density is meant.
  Kernel kernel;
};

/// Of a kernel; nothing if it is no mean of this kind: every radial kernel is, and `nngp` of one hidden layer of ReLU
/// with the default scales; the other kernels of dot products are not.
std::optional<SpectralDensity> spectral_density(const Kernel& kernel);

/// Of the Cauchy kernel prod_j 1 / (1 + u_j^2 / L^2), u = M^1/2 (x - z) with the symmetric root.
SpectralDensity cauchy_kernel_density(double bandwidth);

/// The kernels that have one, for messages: "laplace, gaussian, ...".
std::string kernels_with_density();

/// `count` draws w, one a row (count x q), from `stream`. The first rows do not depend on `count`.
Matrix<double> draw_frequencies(const SpectralDensity& density, Index count, Index width, RandomStream stream);

/// The same for an isotropic density (std::logic_error if it is not), with directions that are orthogonal to each other
/// in groups of q: each row has the law that it has in draw_frequencies(), so that means over them stay unbiased.
Matrix<double> draw_orthogonal_frequencies(const SpectralDensity& density, Index count, Index width,
                                           RandomStream stream);

}  // namespace ansatz::rfm
