#include "rfm/pair_function.h"

#include <cmath>
#include <limits>

#include "rfm/arc_cosine.h"
#include "rfm/power_sums.h"

namespace ansatz::rfm {
namespace {

template <class Scalar>
using Row = Eigen::Map<Eigen::Array<Scalar, Eigen::Dynamic, 1>>;

/// Below this share of the squared norms, a difference of them has lost too many digits.
template <class Scalar>
constexpr Scalar kClose = 1024 * std::numeric_limits<Scalar>::epsilon();

/// Entries s >= 0 to the power e > 0.
template <class Scalar>
void raise(Row<Scalar> s, double e) {
  if (e == 1) return;
  if (e == 0.5)
    s = s.sqrt();
  else
    s = (static_cast<Scalar>(e) * s.log()).exp();
}

}  // namespace

/// What the recursion starts from, with room for its state.
template <class Scalar>
struct PairFunction<Scalar>::Cosines : ArcCosineState<Scalar> {
  static_assert(ArcCosineState<Scalar>::kCapacity >= kChunk, "a chunk must fit the state");
};

template <class Scalar>
PairFunction<Scalar>::PairFunction(const Kernel& kernel, const PreparedPoints<Scalar>& x,
                                   const PreparedPoints<Scalar>& z)
    : spec_(kernel.spec()),
      bandwidth_(static_cast<Scalar>(kernel.bandwidth() / x.unit)),
      radial_(kernel.radial()),
      p_norm_(kernel.p_norm()),
      x_(x),
      z_(z) {}

template <class Scalar>
void PairFunction<Scalar>::terms(const Tile& t, Matrix<Scalar>& values) const {
  if (p_norm_)
    power_sums(spec_.norm, x_, z_, t, values);
  else if (x_.products)
    values = x_.products->block(t.row, t.column, t.rows, t.columns);
  else
    values.noalias() = x_.points.middleRows(t.row, t.rows) * z_.points.middleRows(t.column, t.columns).transpose();
}

/// |p_i - sign p'_j|^2 from the difference itself; 0 within the rounding of the coordinates, where these were rounded.
template <class Scalar>
Scalar PairFunction<Scalar>::close_difference(Index i, Index j, Scalar sign) const {
  const Scalar square = (x_.points.row(i) - sign * z_.points.row(j)).squaredNorm();
  if (!x_.rounded) return square;
  const Scalar noise = 4 * std::numeric_limits<Scalar>::epsilon();
  const Scalar norms = radial_ ? x_.norms[i] + z_.norms[j] : Scalar(2);
  return square > noise * noise * norms ? square : Scalar(0);
}

template <class Scalar>
void PairFunction<Scalar>::squared_distances(Index i, Index first, Index count, Index self, Scalar* p) const {
  if (p_norm_) {
    if (self >= first && self < first + count) p[self - first] = 0;
    return raise(Row<Scalar>(p, count), 2 / spec_.norm);
  }
  const Scalar norm = x_.norms[i], threshold = kClose<Scalar>;
  const Scalar* norms = z_.norms.data() + first;
  int close = self >= first && self < first + count ? 1 : 0;
  for (Index j = 0; j < count; ++j) {
    const Scalar sum = norm + norms[j];
    const Scalar square = sum - 2 * p[j];
    close += square < threshold * sum ? 1 : 0;
    p[j] = square < 0 ? Scalar(0) : square;
  }
  if (close == 0) return;
  for (Index j = 0; j < count; ++j) {
    if (first + j == self)
      p[j] = 0;
    else if (p[j] < threshold * (norm + norms[j]))
      p[j] = close_difference(i, first + j, 1);
  }
}

template <class Scalar>
void PairFunction<Scalar>::values(Index i, Index first, Index count, Index self, Scalar* p) const {
  if (!radial_) return dot_product_values(i, first, count, self, p);
  if (p_norm_) return p_norm_values(first, count, self, p);
  squared_distances(i, first, count, self, p);
  Row<Scalar> k(p, count);
  switch (spec_.family) {
    case KernelFamily::laplace:
      for (Index j = 0; j < count; ++j) p[j] = std::sqrt(p[j]) * (-1 / bandwidth_);
      break;
    case KernelFamily::gaussian:
      k *= -1 / (2 * bandwidth_ * bandwidth_);
      break;
    default:  // (r/L)^gamma = exp(gamma/2 log(r^2/L^2)); log 0 = -inf gives 0
      k = -(static_cast<Scalar>(spec_.exponent / 2) * (k * (1 / (bandwidth_ * bandwidth_))).log()).exp();
  }
  k = k.exp();
}

template <class Scalar>
void PairFunction<Scalar>::weights(Index i, Index first, Index count, Index self, Scalar* p, Scalar* d) const {
  if (!radial_) return dot_product_weights(i, first, count, self, p, d);
  squared_distances(i, first, count, self, p);
  Row<Scalar> a(p, count), work(d, count);
  const Scalar inverse = 1 / bandwidth_;
  // work: the exponent's argument; then p: -phi'(r)/(r phi(r)), 0 at r = 0.
  switch (spec_.family) {
    case KernelFamily::laplace:
      for (Index j = 0; j < count; ++j) {
        const Scalar r = std::sqrt(p[j]);
        const Scalar quotient = inverse / (r > 0 ? r : Scalar(1));
        p[j] = r > 0 ? quotient : Scalar(0);
        d[j] = -r * inverse;
      }
      break;
    case KernelFamily::gaussian:
      for (Index j = 0; j < count; ++j) {
        d[j] = p[j] * (-inverse * inverse / 2);
        p[j] = p[j] > 0 ? inverse * inverse : Scalar(0);
      }
      break;
    default:
      work = (static_cast<Scalar>(spec_.exponent / 2) * (a * (inverse * inverse)).log()).exp();
      for (Index j = 0; j < count; ++j) {
        const Scalar quotient = static_cast<Scalar>(spec_.exponent) * d[j] / (p[j] > 0 ? p[j] : Scalar(1));
        p[j] = p[j] > 0 ? quotient : Scalar(0);
        d[j] = -d[j];
      }
  }
  a *= work.exp();
  work = -a;
}

template <class Scalar>
void PairFunction<Scalar>::p_norm_values(Index first, Index count, Index self, Scalar* p) const {
  if (self >= first && self < first + count) p[self - first] = 0;
  Row<Scalar> k(p, count);
  raise(k, spec_.exponent / spec_.norm);
  k = (k * -std::pow(bandwidth_, static_cast<Scalar>(-spec_.exponent))).exp();
}

template <class Scalar>
void PairFunction<Scalar>::p_norm_weights(Index count, Scalar* p, Scalar* work) const {
  const Scalar inverse = std::pow(bandwidth_, static_cast<Scalar>(-spec_.exponent));
  const auto q = static_cast<Scalar>(spec_.exponent);
  Row<Scalar> w(p, count), argument(work, count);  // argument: S^(q/p) / L^q
  argument = w;
  raise(argument, spec_.exponent / spec_.norm);
  argument *= inverse;
  for (Index j = 0; j < count; ++j) {
    const Scalar quotient = q * work[j] / (p[j] > 0 ? p[j] : Scalar(1));
    p[j] = p[j] > 0 ? quotient : Scalar(0);
  }
  w *= (-argument).exp();
}

/// Cosine and complement of each pair; cosines near +-1 from the difference (sum) of the unit vectors.
template <class Scalar>
void PairFunction<Scalar>::cosines(Index i, Index first, Index count, Index self, const Scalar* p, Cosines& c) const {
  const Scalar threshold = kClose<Scalar>;
  int close = self >= first && self < first + count ? 1 : 0;
  for (Index j = 0; j < count; ++j) {
    const Scalar u = p[j] > 1 ? Scalar(1) : (p[j] < -1 ? Scalar(-1) : p[j]);
    const Scalar gap = 1 - std::abs(u);
    close += gap < threshold ? 1 : 0;
    c.sigma[j] = u;
    c.complement[j] = gap / 2;
  }
  if (close > 0) {
    for (Index j = 0; j < count; ++j) {
      const bool itself = first + j == self && x_.norms[i] > 0;
      if (!itself && !(2 * c.complement[j] < threshold)) continue;
      const Scalar sign = itself || c.sigma[j] > 0 ? Scalar(1) : Scalar(-1);
      const Scalar square = itself ? Scalar(0) : close_difference(i, first + j, sign);  // = 2 - 2 |u|
      c.complement[j] = square / 4;
      c.sigma[j] = sign * (1 - square / 2);
    }
  }
  start_recursion(c, count);
}

template <class Scalar>
void PairFunction<Scalar>::dot_product_values(Index i, Index first, Index count, Index self, Scalar* p) const {
  Cosines c;
  cosines(i, first, count, self, p, c);
  for (Index layer = 0; layer < spec_.depth; ++layer) advance_layer<Scalar>(c, count, false);
  const Scalar* k = spec_.family == KernelFamily::ntk ? c.theta : c.sigma;
  const Scalar norm = x_.norms[i];
  const Scalar* norms = z_.norms.data() + first;
  for (Index j = 0; j < count; ++j) p[j] = norm * norms[j] * k[j];
}

template <class Scalar>
void PairFunction<Scalar>::dot_product_weights(Index i, Index first, Index count, Index self, Scalar* p,
                                               Scalar* d) const {
  Cosines c;
  cosines(i, first, count, self, p, c);
  for (Index j = 0; j < count; ++j) d[j] = c.sigma[j];
  for (Index layer = 0; layer < spec_.depth; ++layer) advance_layer<Scalar>(c, count, true);
  const bool ntk = spec_.family == KernelFamily::ntk;
  const Scalar* k = ntk ? c.theta : c.sigma;
  const Scalar* slope = ntk ? c.theta_slope : c.sigma_slope;
  const Scalar norm = x_.norms[i];
  const Scalar* norms = z_.norms.data() + first;
  for (Index j = 0; j < count; ++j) {
    const bool both = norm * norms[j] > 0;
    const Scalar rest = k[j] - d[j] * slope[j];
    p[j] = both ? slope[j] : Scalar(0);
    d[j] = both ? rest : Scalar(0);
  }
}

template class PairFunction<float>;
template class PairFunction<double>;

}  // namespace ansatz::rfm
