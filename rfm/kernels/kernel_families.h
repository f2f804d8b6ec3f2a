// The kernel families, one row each: name, formula, parameters, value and gradient. Everything else that knows families
// (configs, `ansatz list`, metrics.json, the tables in docs/) reads these rows. A new family needs a line in the list
// of rfm/kernels/kernel_spec.h, a row, and its formula written out plainly in tests/textbook/slow_kernels.h; then run
// scripts/update_docs.
#pragma once

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "rfm/kernels/kernel_spec.h"
#include "rfm/kernels/network_kernels.h"

namespace ansatz::rfm {

// A row has `shape`, parameters(), a one-line `formula`, `where` (what the symbols in the formula mean), and these
// functions, where L is the bandwidth in the unit of the distances:
// clang-format off
//   euclidean    values(spec, L, k):         k is r^2 and becomes K = phi(r)
//                weights(spec, L, a, work):  a is r^2 and becomes -phi'(r)/r, 0 where r = 0; work: as long as a
//   p_norm       norm(spec), exponent(spec): p and q of K = exp(-|u|_p^q / L^q)
//                values(spec, L, k):         k is S = |u|_p^p and becomes K
//                weights(spec, L, w, work):  w is S and becomes W = K q S^(q/p - 1) / L^q, 0 where S = 0
//   dot_product  by_norm_product(spec):      whether K is a function of s and n alone
//                values(spec, in, k):        K of each pair into k
//                weights(spec, in, a, d):    dK/ds into a, 0 where the kernel has no derivative, and into d dK/dn or,
//                                            unless by_norm_product, dK/d|x| / gradient_length(|z|)
// clang-format on

struct EuclideanRow {
  static constexpr KernelShape shape = KernelShape::euclidean;
  static constexpr const char* where = "";
  static std::vector<KernelParameter> parameters() { return {kBandwidth}; }
};

struct Laplace : EuclideanRow {
  static constexpr const char* formula = "exp(-|x-z|_M / L)";

  template <class T>
  static void values(const KernelSpec&, T bandwidth, Chunk<T> k) {
    T* p = k.data();
    for (Index j = 0; j < k.size(); ++j) p[j] = std::sqrt(p[j]) * (-1 / bandwidth);
    k = k.exp();
  }
  template <class T>
  static void weights(const KernelSpec&, T bandwidth, Chunk<T> a, Chunk<T> work) {
    const T inverse = 1 / bandwidth;
    T *p = a.data(), *argument = work.data();
    for (Index j = 0; j < a.size(); ++j) {
      const T r = std::sqrt(p[j]);
      const T quotient = inverse / (r > 0 ? r : T(1));
      p[j] = r > 0 ? quotient : T(0);
      argument[j] = -r * inverse;
    }
    a *= work.exp();
  }
};

struct Gaussian : EuclideanRow {
  static constexpr const char* formula = "exp(-|x-z|_M^2 / (2 L^2))";

  template <class T>
  static void values(const KernelSpec&, T bandwidth, Chunk<T> k) {
    k *= -1 / (2 * bandwidth * bandwidth);
    k = k.exp();
  }
  template <class T>
  static void weights(const KernelSpec&, T bandwidth, Chunk<T> a, Chunk<T> work) {
    const T inverse = 1 / bandwidth;
    T *p = a.data(), *argument = work.data();
    for (Index j = 0; j < a.size(); ++j) {
      argument[j] = p[j] * (-inverse * inverse / 2);
      p[j] = p[j] > 0 ? inverse * inverse : T(0);
    }
    a *= work.exp();
  }
};

/// (r/L)^gamma is computed as exp(gamma/2 log(r^2/L^2)); at r = 0, log 0 = -inf gives 0 as it should.
struct GeneralizedLaplace : EuclideanRow {
  static constexpr const char* formula = "exp(-(|x-z|_M / L)^gamma)";
  static std::vector<KernelParameter> parameters() {
    return {kBandwidth, {"exponent", &KernelSpec::exponent, "gamma", "", 0, 2, true}};
  }

  template <class T>
  static void values(const KernelSpec& spec, T bandwidth, Chunk<T> k) {
    k = -(static_cast<T>(spec.exponent / 2) * (k * (1 / (bandwidth * bandwidth))).log()).exp();
    k = k.exp();
  }
  template <class T>
  static void weights(const KernelSpec& spec, T bandwidth, Chunk<T> a, Chunk<T> work) {
    const T inverse = 1 / bandwidth;
    T *p = a.data(), *argument = work.data();
    work = (static_cast<T>(spec.exponent / 2) * (a * (inverse * inverse)).log()).exp();
    for (Index j = 0; j < a.size(); ++j) {
      const T quotient = static_cast<T>(spec.exponent) * argument[j] / (p[j] > 0 ? p[j] : T(1));
      p[j] = p[j] > 0 ? quotient : T(0);
      argument[j] = -argument[j];
    }
    a *= work.exp();
  }
};

struct Matern32 : EuclideanRow {
  static constexpr const char* formula = "(1 + s) exp(-s)";
  static constexpr const char* where = "s = sqrt(3) |x-z|_M / L";

  template <class T>
  static void values(const KernelSpec&, T bandwidth, Chunk<T> k) {
    const T scale = std::sqrt(T(3)) / bandwidth;
    T* p = k.data();
    for (Index j = 0; j < k.size(); ++j) p[j] = std::sqrt(p[j]) * scale;
    k = (1 + k) * (-k).exp();
  }
  template <class T>
  static void weights(const KernelSpec&, T bandwidth, Chunk<T> a, Chunk<T> work) {
    const T scale = std::sqrt(T(3)) / bandwidth;
    T *p = a.data(), *argument = work.data();
    for (Index j = 0; j < a.size(); ++j) {
      argument[j] = -std::sqrt(p[j]) * scale;
      p[j] = p[j] > 0 ? scale * scale : T(0);
    }
    a *= work.exp();
  }
};

struct Matern52 : EuclideanRow {
  static constexpr const char* formula = "(1 + s + s^2/3) exp(-s)";
  static constexpr const char* where = "s = sqrt(5) |x-z|_M / L";

  template <class T>
  static void values(const KernelSpec&, T bandwidth, Chunk<T> k) {
    const T scale = std::sqrt(T(5)) / bandwidth;
    T* p = k.data();
    for (Index j = 0; j < k.size(); ++j) p[j] = std::sqrt(p[j]) * scale;
    k = (1 + k + k * k / 3) * (-k).exp();
  }
  template <class T>
  static void weights(const KernelSpec&, T bandwidth, Chunk<T> a, Chunk<T> work) {
    const T scale = std::sqrt(T(5)) / bandwidth;
    T *p = a.data(), *argument = work.data();
    for (Index j = 0; j < a.size(); ++j) {
      const T s = std::sqrt(p[j]) * scale;
      argument[j] = -s;
      p[j] = s > 0 ? scale * scale / 3 * (1 + s) : T(0);
    }
    a *= work.exp();
  }
};

/// A mixture of Gaussian kernels of many bandwidths. As alpha grows it becomes the Gaussian kernel of bandwidth L.
struct RationalQuadratic : EuclideanRow {
  static constexpr const char* formula = "(1 + |x-z|_M^2 / (2 alpha L^2))^-alpha";
  static std::vector<KernelParameter> parameters() {
    return {kBandwidth, {"exponent", &KernelSpec::exponent, "alpha", "", 0, 1e6, true}};
  }

  template <class T>
  static void values(const KernelSpec& spec, T bandwidth, Chunk<T> k) {
    const T alpha = static_cast<T>(spec.exponent);
    k *= 1 / (2 * alpha * bandwidth * bandwidth);
    k = (-alpha * k.log1p()).exp();
  }
  template <class T>
  static void weights(const KernelSpec& spec, T bandwidth, Chunk<T> a, Chunk<T> work) {
    const T alpha = static_cast<T>(spec.exponent), inverse = 1 / (bandwidth * bandwidth);
    work = ((-alpha - 1) * (a * (inverse / (2 * alpha))).log1p()).exp();
    T *p = a.data(), *power = work.data();
    for (Index j = 0; j < a.size(); ++j) p[j] = p[j] > 0 ? inverse * power[j] : T(0);
  }
};

struct LpqLaplace {
  static constexpr KernelShape shape = KernelShape::p_norm;
  static constexpr const char* formula = "exp(-|M^1/2 (x-z)|_p^q / L^q)";
  static constexpr const char* where = "M^1/2 the symmetric square root";
  static std::vector<KernelParameter> parameters() {
    return {kBandwidth,
            {"norm", &KernelSpec::norm, "p", "", 1, 2},
            {"exponent", &KernelSpec::exponent, "q", "", 0, 2, true, "norm"}};
  }
  static double norm(const KernelSpec& spec) { return spec.norm; }
  static double exponent(const KernelSpec& spec) { return spec.exponent; }

  template <class T>
  static void values(const KernelSpec& spec, T bandwidth, Chunk<T> k) {
    raise(k, spec.exponent / spec.norm);
    k = (k * -std::pow(bandwidth, static_cast<T>(-spec.exponent))).exp();
  }
  template <class T>
  static void weights(const KernelSpec& spec, T bandwidth, Chunk<T> w, Chunk<T> work) {
    const T inverse = std::pow(bandwidth, static_cast<T>(-spec.exponent));
    const T q = static_cast<T>(spec.exponent);
    T *p = w.data(), *argument = work.data();  // S^(q/p) / L^q
    work = w;
    raise(work, spec.exponent / spec.norm);
    work *= inverse;
    for (Index j = 0; j < w.size(); ++j) {
      const T quotient = q * argument[j] / (p[j] > 0 ? p[j] : T(1));
      p[j] = p[j] > 0 ? quotient : T(0);
    }
    w *= (-work).exp();
  }
};

/// The lpq kernel with p = q = 1.
struct ProductLaplace : LpqLaplace {
  static constexpr const char* formula = "exp(-|M^1/2 (x-z)|_1 / L)";
  static std::vector<KernelParameter> parameters() { return {kBandwidth}; }
  static double norm(const KernelSpec&) { return 1; }
  static double exponent(const KernelSpec&) { return 1; }
};

struct Polynomial {
  static constexpr KernelShape shape = KernelShape::dot_product;
  static constexpr const char* formula = "(scale <x,z>_M + offset)^degree";
  static constexpr const char* where = "";
  static std::vector<KernelParameter> parameters() {
    return {{"degree", &KernelSpec::degree, "degree", "", 1, 30},
            {"scale", &KernelSpec::scale, "scale", "", 0, kUnbounded, true},
            {"offset", &KernelSpec::offset, "offset", "", 0}};
  }
  static bool by_norm_product(const KernelSpec&) { return true; }

  template <class T>
  static void values(const KernelSpec& spec, const DotProducts<T>& in, Chunk<T> k) {
    T base[DotProducts<T>::kCapacity];
    fill_base(spec, in, base);
    T* out = k.data();
    for (Index j = 0; j < in.count; ++j) out[j] = base[j];
    for (Index i = 1; i < spec.degree; ++i)
      for (Index j = 0; j < in.count; ++j) out[j] *= base[j];
  }
  template <class T>
  static void weights(const KernelSpec& spec, const DotProducts<T>& in, Chunk<T> a, Chunk<T> d) {
    fill_base(spec, in, d.data());
    a = static_cast<T>(spec.scale * static_cast<double>(spec.degree));
    for (Index i = 1; i < spec.degree; ++i) a *= d;
    d = 0;
  }

 private:
  template <class T>
  static void fill_base(const KernelSpec& spec, const DotProducts<T>& in, T* base) {
    const T scale = static_cast<T>(spec.scale), offset = static_cast<T>(spec.offset);
    for (Index j = 0; j < in.count; ++j) base[j] = scale * (in.norm_product(j) * in.cosine[j]) + offset;
  }
};

/// Calls function(Row{}), where Row is the row of `family`.
template <class Function>
decltype(auto) with_family(KernelFamily family, Function&& function) {
  switch (family) {
#define ANSATZ_CASE(name, Row) \
  case KernelFamily::name:     \
    return function(Row{});
    ANSATZ_KERNEL_FAMILIES(ANSATZ_CASE)
#undef ANSATZ_CASE
  }
  throw std::logic_error("a kernel family that is not in the list");
}

/// A row as the rest of the program reads it, without its templates.
struct KernelInfo {
  KernelFamily family;
  std::string name;
  KernelShape shape;
  std::string formula, where;
  std::vector<KernelParameter> parameters;

  const KernelParameter* find(const std::string& key) const;  ///< null: the family has no such parameter
  std::string text() const;  ///< "exp(-(|x-z|_M / L)^gamma); L = bandwidth > 0, gamma = exponent in (0, 2]"; `where`
};
const std::vector<KernelInfo>& kernel_table();
const KernelInfo& info_of(KernelFamily family);
const std::string& name_of(KernelFamily family);
const std::string& name_of(KernelShape shape);  ///< "Euclidean distance", "p-norm distance", "dot product"

double value_of(const KernelSpec& spec, const KernelParameter& parameter);  ///< of an activation its place in the table
std::string text_of(const KernelSpec& spec, const KernelParameter& parameter);  ///< "0.5", "erf"
std::string range_of(const KernelParameter& parameter);  ///< "> 0", "in (0, 2], at most norm", "relu, erf, linear"
/// ConfigError naming the first parameter of the family that is out of range.
void validate(const KernelSpec& spec);

}  // namespace ansatz::rfm
