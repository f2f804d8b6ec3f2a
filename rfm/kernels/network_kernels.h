// The rows of kernel_families.h that are limits of wide random networks: nngp and ntk.
#pragma once

#include "rfm/kernels/kernel_spec.h"

namespace ansatz::rfm {

/// K of a network for the pairs `in`: Sigma after the last layer, or with `tangent` Theta.
template <class T>
void network_values(const KernelSpec& spec, bool tangent, const DotProducts<T>& in, T* k);
/// dK/ds into a; into d dK/dn if depends_on_norm_product(), else dK/d|x| / gradient_length(|z|).
template <class T>
void network_weights(const KernelSpec& spec, bool tangent, const DotProducts<T>& in, T* a, T* d);
/// Whether K is a function of s and n alone: of a ReLU network without biases n times one of the cosine, of a linear
/// network a function of s.
bool depends_on_norm_product(const KernelSpec& spec);

/// The weight_std that a network has unless it is given.
double default_weight_std(const KernelSpec& spec);

template <bool IsNtk>
struct WideNetwork {
  static constexpr KernelShape shape = KernelShape::dot_product;
  static std::vector<KernelParameter> parameters() {
    KernelParameter activation{"activation", &KernelSpec::activation, "f", "activation", 0, 2};
    KernelParameter weights{"weight_std", &KernelSpec::weight_std, "w", "scale w of the weights", 0, kUnbounded, true};
    KernelParameter biases{"bias_std", &KernelSpec::bias_std, "b", "scale b of the biases", 0};
    activation.implied = weights.implied = biases.implied = true;
    weights.fallback = default_weight_std;
    weights.fallback_text = "sqrt(2) for relu, 1 for erf and linear";
    return {{"depth", &KernelSpec::depth, "depth", "hidden layers", 1, 1000}, activation, weights, biases};
  }
  static bool by_norm_product(const KernelSpec& spec) { return depends_on_norm_product(spec); }

  template <class T>
  static void values(const KernelSpec& spec, const DotProducts<T>& in, Chunk<T> k) {
    network_values(spec, IsNtk, in, k.data());
  }
  template <class T>
  static void weights(const KernelSpec& spec, const DotProducts<T>& in, Chunk<T> a, Chunk<T> d) {
    network_weights(spec, IsNtk, in, a.data(), d.data());
  }
};

struct Nngp : WideNetwork<false> {
  static constexpr const char* formula = "Sigma_depth of a wide random network";
  static constexpr const char* where =
      "Sigma_0 = <x,z>_M, Sigma <- w^2 E[f(u) f(v)] + b^2, u and v normal with the covariances Sigma. relu: "
      "E = |x||z| k1(c) / 2, |x|^2 = Sigma(x,x), c = Sigma / (|x||z|), k1(c) = (c (pi - acos c) + sqrt(1 - c^2)) / pi; "
      "erf: E = (2/pi) asin(2 Sigma / sqrt((1 + 2 |x|^2) (1 + 2 |z|^2))); linear: E = Sigma";
};

struct Ntk : WideNetwork<true> {
  static constexpr const char* formula = "Theta_depth of a wide random network";
  static constexpr const char* where =
      "Theta_0 = <x,z>_M, Theta <- Sigma + w^2 Theta E[f'(u) f'(v)], the Sigma before it in E, the new one as summand, "
      "as for nngp. relu: E = (pi - acos c) / (2 pi); erf: E = (4/pi) / sqrt((1 + 2 |x|^2) (1 + 2 |z|^2) - 4 Sigma^2); "
      "linear: E = 1. With the defaults Theta(x,x) = (depth + 1) |x|^2";
};

}  // namespace ansatz::rfm
