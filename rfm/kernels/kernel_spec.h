// What a kernel is chosen by, the list of families, and what the rows of rfm/kernels/kernel_families.h work on.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "core/base/matrix.h"
#include "rfm/kernels/arc_cosine.h"

namespace ansatz::rfm {

/// The list: what configs call a family, and its row.
#define ANSATZ_KERNEL_FAMILIES(FAMILY)            \
  FAMILY(laplace, Laplace)                        \
  FAMILY(gaussian, Gaussian)                      \
  FAMILY(generalized_laplace, GeneralizedLaplace) \
  FAMILY(matern32, Matern32)                      \
  FAMILY(matern52, Matern52)                      \
  FAMILY(rational_quadratic, RationalQuadratic)   \
  FAMILY(lpq_laplace, LpqLaplace)                 \
  FAMILY(product_laplace, ProductLaplace)         \
  FAMILY(nngp, Nngp)                              \
  FAMILY(ntk, Ntk)                                \
  FAMILY(polynomial, Polynomial)

#define ANSATZ_MEMBER(name, Row) name,
enum class KernelFamily { ANSATZ_KERNEL_FAMILIES(ANSATZ_MEMBER) };
#undef ANSATZ_MEMBER

/// What a kernel is a function of:
/// - euclidean: r = |x-z|_M;
/// - p_norm: |M^1/2 (x-z)|_p, M^1/2 the symmetric square root (for p = 2 any F with F^T F = M would do);
/// - dot_product: s = <x,z>_M, and |x|_M and |z|_M, for most by their product n alone.
enum class KernelShape { euclidean, p_norm, dot_product };

enum class BandwidthMode { constant, adaptive };

/// Between the layers of the networks whose limits `nngp` and `ntk` are.
enum class Activation { relu, erf, linear };

struct ActivationInfo {
  Activation activation;
  std::string name;
  double weight_std;  ///< the default; of relu and linear, that which keeps Sigma(x,x) from layer to layer
};
const std::vector<ActivationInfo>& activation_table();
const ActivationInfo& info_of(Activation activation);

/// A kernel as a config gives it. A family uses only its own parameters. The ridge is not part of the kernel.
struct KernelSpec {
  KernelFamily family = KernelFamily::laplace;
  double bandwidth = 10;                                   ///< L
  BandwidthMode bandwidth_mode = BandwidthMode::constant;  ///< adaptive: L times the median off-diagonal M-distance
  double exponent = 1;
  double norm = 2;
  Index depth = 1;
  Index degree = 2;
  double scale = 1, offset = 1;
  Activation activation = Activation::relu;
  double weight_std = std::sqrt(2.0);  ///< w
  double bias_std = 0;                 ///< b

  bool operator==(const KernelSpec& o) const {
    return std::tie(family, bandwidth, bandwidth_mode, exponent, norm, depth, degree, scale, offset, activation,
                    weight_std, bias_std) == std::tie(o.family, o.bandwidth, o.bandwidth_mode, o.exponent, o.norm,
                                                      o.depth, o.degree, o.scale, o.offset, o.activation, o.weight_std,
                                                      o.bias_std);
  }
};

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

/// One parameter of a family: its key in configs, the field that holds it (and its default), and its range.
struct KernelParameter {
  const char* key;
  std::variant<double KernelSpec::*, Index KernelSpec::*, Activation KernelSpec::*> field;
  const char* symbol;   ///< in the formula: "gamma"
  const char* meaning;  ///< in words; empty: the symbol says it
  double low, high = kUnbounded;
  bool above_low = false;         ///< low itself is out of range
  const char* at_most = nullptr;  ///< the key of another parameter that this one may not exceed
  bool implied = false;  ///< saved machines of earlier versions do not have it: they mean the default of KernelSpec
  double (*fallback)(const KernelSpec&) = nullptr;  ///< the default, where it depends on the parameters before it
  const char* fallback_text = "";                   ///< that dependence in words
};

inline constexpr KernelParameter kBandwidth{"bandwidth", &KernelSpec::bandwidth, "L", "", 0, kUnbounded, true};

/// A few hundred consecutive entries of an array, which a row works on at once.
template <class T>
using Chunk = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>>;

/// What a row of shape dot_product starts from: pairs of x with z_j, j = 0..count-1.
template <class T>
struct DotProducts {
  static constexpr Index kCapacity = ArcCosineState<T>::kCapacity;
  Index count;
  T cosine[kCapacity];      ///< s / n
  T complement[kCapacity];  ///< (1 - |cosine|) / 2, to full relative accuracy
  T norm;                   ///< |x|_M
  const T* norms;           ///< |z_j|_M

  T norm_product(Index j) const { return norm * norms[j]; }  ///< n
};

/// In place of |z|_M, where the gradient is divided by it: not 0, and so short that z counts as 0 beside other inputs.
template <class T>
T gradient_length(T norm) {
  static const T shortest = std::sqrt(std::numeric_limits<T>::min());
  return norm > shortest ? norm : shortest;
}

/// Entries s >= 0 to the power e > 0.
template <class T>
void raise(Chunk<T> s, double e) {
  if (e == 1) return;
  if (e == 0.5)
    s = s.sqrt();
  else
    s = (static_cast<T>(e) * s.log()).exp();
}

}  // namespace ansatz::rfm
