// The kernel families, one row each: name, formula, parameters, value and gradient. Everything else that knows families
// (configs, `ansatz list`, metrics.json, the tables in docs/) reads these rows. A new family needs a line in the list
// below, a row, and its formula written out plainly in tests/textbook/slow_kernels.h; then run scripts/update_docs.
#pragma once

#include <cmath>
#include <limits>
#include <stdexcept>
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
/// - dot_product: s = <x,z>_M and n = |x|_M |z|_M.
enum class KernelShape { euclidean, p_norm, dot_product };

enum class BandwidthMode { constant, adaptive };

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

  bool operator==(const KernelSpec& o) const {
    return std::tie(family, bandwidth, bandwidth_mode, exponent, norm, depth, degree, scale, offset) ==
           std::tie(o.family, o.bandwidth, o.bandwidth_mode, o.exponent, o.norm, o.depth, o.degree, o.scale, o.offset);
  }
};

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

/// One parameter of a family: its key in configs, the field that holds it (and its default), and its range.
struct KernelParameter {
  const char* key;
  std::variant<double KernelSpec::*, Index KernelSpec::*> field;
  const char* symbol;   ///< in the formula: "gamma"
  const char* meaning;  ///< in words; empty: the symbol says it
  double low, high = kUnbounded;
  bool above_low = false;         ///< low itself is out of range
  const char* at_most = nullptr;  ///< the key of another parameter that this one may not exceed
};

inline constexpr KernelParameter kBandwidth{"bandwidth", &KernelSpec::bandwidth, "L", "", 0, kUnbounded, true};
inline constexpr KernelParameter kDepth{"depth", &KernelSpec::depth, "depth", "hidden layers", 1, 1000};

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

/// Entries s >= 0 to the power e > 0.
template <class T>
void raise(Chunk<T> s, double e) {
  if (e == 1) return;
  if (e == 0.5)
    s = s.sqrt();
  else
    s = (static_cast<T>(e) * s.log()).exp();
}

// A row has `shape`, parameters(), a one-line `formula`, `where` (what the symbols in the formula mean), and these
// functions, where L is the bandwidth in the unit of the distances:
// clang-format off
//   euclidean    values(spec, L, k):         k is r^2 and becomes K = phi(r)
//                weights(spec, L, a, work):  a is r^2 and becomes -phi'(r)/r, 0 where r = 0; work: as long as a
//   p_norm       norm(spec), exponent(spec): p and q of K = exp(-|u|_p^q / L^q)
//                values(spec, L, k):         k is S = |u|_p^p and becomes K
//                weights(spec, L, w, work):  w is S and becomes W = K q S^(q/p - 1) / L^q, 0 where S = 0
//   dot_product  values(spec, in, k):        K of each pair into k
//                weights(spec, in, a, d):    dK/ds into a and dK/dn into d, 0 where the kernel has no derivative
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

/// NNGP and NTK of a bias-free ReLU network: n times a function of the cosine. As the cosine goes to +-1, the limit of
/// the NTK's gradient depends on the direction: its singular part is dropped, which leaves the mean over directions.
template <bool IsNtk>
struct ReluNetwork {
  static constexpr KernelShape shape = KernelShape::dot_product;
  static std::vector<KernelParameter> parameters() { return {kDepth}; }

  template <class T>
  static void values(const KernelSpec& spec, const DotProducts<T>& in, Chunk<T> k) {
    ArcCosineState<T> state;
    run(spec, in, false, state);
    const T* value = IsNtk ? state.theta : state.sigma;
    T* out = k.data();
    for (Index j = 0; j < in.count; ++j) out[j] = in.norm_product(j) * value[j];
  }
  template <class T>
  static void weights(const KernelSpec& spec, const DotProducts<T>& in, Chunk<T> a, Chunk<T> d) {
    ArcCosineState<T> state;
    run(spec, in, true, state);
    const T* value = IsNtk ? state.theta : state.sigma;
    const T* slope = IsNtk ? state.theta_slope : state.sigma_slope;
    T *by_product = a.data(), *by_norms = d.data();
    for (Index j = 0; j < in.count; ++j) {
      const bool both = in.norm_product(j) > 0;
      const T rest = value[j] - in.cosine[j] * slope[j];
      by_product[j] = both ? slope[j] : T(0);
      by_norms[j] = both ? rest : T(0);
    }
  }

 private:
  template <class T>
  static void run(const KernelSpec& spec, const DotProducts<T>& in, bool slopes, ArcCosineState<T>& state) {
    start_recursion(in.cosine, in.complement, in.count, state);
    for (Index layer = 0; layer < spec.depth; ++layer) advance_layer(state, in.count, slopes);
  }
};

struct Nngp : ReluNetwork<false> {
  static constexpr const char* formula = "Sigma_depth of a bias-free ReLU network";
  static constexpr const char* where =
      "Sigma_0 = <x,z>_M, Sigma <- |x||z| k1(u), u = Sigma / (|x||z|), k1(u) = (u (pi - acos u) + sqrt(1 - u^2)) / pi: "
      "He scaling";
};

struct Ntk : ReluNetwork<true> {
  static constexpr const char* formula = "Theta_depth of a bias-free ReLU network";
  static constexpr const char* where =
      "Theta_0 = <x,z>_M, Theta <- Theta k0(u) + Sigma, k0(u) = (pi - acos u) / pi, Sigma and u as for nngp: "
      "Theta(x,x) = (depth + 1) |x|^2";
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

double value_of(const KernelSpec& spec, const KernelParameter& parameter);
std::string range_of(const KernelParameter& parameter);  ///< "> 0", "in (0, 2], at most norm"
/// ConfigError naming the first parameter of the family that is out of range.
void validate(const KernelSpec& spec);

}  // namespace ansatz::rfm
