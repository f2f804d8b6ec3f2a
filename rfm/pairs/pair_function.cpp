#include "rfm/pairs/pair_function.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/base/error.h"
#include "rfm/pairs/power_sums.h"

namespace ansatz::rfm {
namespace {

/// A squared distance below this share of the squared norms has lost too many digits as a difference of theirs.
template <class Scalar>
constexpr Scalar kClose = 1024 * std::numeric_limits<Scalar>::epsilon();

/// Sets the entry of a point with itself, if it is among these, to exactly 0.
template <class Scalar>
void clear_self(Index first, Index count, Index self, Scalar* p) {
  if (self >= first && self < first + count) p[self - first] = 0;
}

/// K of two parallel points, one as long as the longest of x, the other as the longest of z: no value is larger.
template <class Row, class Scalar>
Scalar largest_value(const KernelSpec& spec, const PreparedPoints<Scalar>& x, const PreparedPoints<Scalar>& z) {
  DotProducts<Scalar> in;
  const Scalar norm = z.norms.maxCoeff();
  in.count = 1;
  in.cosine[0] = 1;
  in.complement[0] = 0;
  in.norm = x.norms.maxCoeff();
  in.norms = &norm;
  Scalar value = 0;
  Row::values(spec, in, Chunk<Scalar>(&value, 1));
  return value;
}

template <class Scalar>
void require_finite_values(const KernelSpec& spec, const PreparedPoints<Scalar>& x, const PreparedPoints<Scalar>& z) {
  if (x.size() == 0 || z.size() == 0) return;
  with_family(spec.family, [&](auto row) {
    using Row = decltype(row);
    if constexpr (Row::shape == KernelShape::dot_product) {
      const Scalar largest = largest_value<Row>(spec, x, z);
      const bool single = sizeof(Scalar) == 4, only_zeros = !(x.norms.maxCoeff() > 0 && z.norms.maxCoeff() > 0);
      if (std::isfinite(largest) && (largest > 0 || only_zeros)) return;
      if (largest == 0)
        throw NumericalError("kernel " + name_of(spec.family) + ": its values on these inputs vanish in " +
                             (single ? "float32; use precision: float64, or " : "float64; use ") +
                             "a larger `weight_std` or `scale`, or normalize the data set");
      throw NumericalError(
          "kernel " + name_of(spec.family) + ": its values on inputs this long are beyond " +
          (single ? "float32; normalize the data set or use precision: float64" : "float64; normalize the data set"));
    }
  });
}

}  // namespace

template <class Scalar>
PairFunction<Scalar>::PairFunction(const Kernel& kernel, const PreparedPoints<Scalar>& x,
                                   const PreparedPoints<Scalar>& z)
    : spec_(kernel.spec()),
      shape_(kernel.shape()),
      bandwidth_(static_cast<Scalar>(kernel.bandwidth() / x.unit)),
      x_(x),
      z_(z) {
  require_finite_values(spec_, x, z);
}

template <class Scalar>
void PairFunction<Scalar>::coordinate_sums(const Tile& t, Matrix<Scalar>& values) const {
  if (x_.products)
    values = x_.products->block(t.row, t.column, t.rows, t.columns);
  else if (shape_ == KernelShape::p_norm)
    power_sums(spec_.norm, x_, z_, t, values);
  else
    values.noalias() = x_.points.middleRows(t.row, t.rows) * z_.points.middleRows(t.column, t.columns).transpose();
}

/// |p_i - sign p'_j|^2 from the difference itself; 0 if the coordinates were rounded and it is within their rounding.
template <class Scalar>
Scalar PairFunction<Scalar>::close_difference(Index i, Index j, Scalar sign) const {
  const Scalar square = (x_.points.row(i) - sign * z_.points.row(j)).squaredNorm();
  if (!x_.rounded) return square;
  const Scalar noise = 4 * std::numeric_limits<Scalar>::epsilon();
  const Scalar norms = shape_ == KernelShape::dot_product ? Scalar(2) : x_.norms[i] + z_.norms[j];
  return square > noise * noise * norms ? square : Scalar(0);
}

template <class Scalar>
void PairFunction<Scalar>::squared_distances(Index i, Index first, Index count, Index self, Scalar* p) const {
  if (shape_ == KernelShape::p_norm) {
    clear_self(first, count, self, p);
    return raise(Chunk<Scalar>(p, count), 2 / spec_.norm);
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
  const Chunk<Scalar> k(p, count);
  with_family(spec_.family, [&](auto row) {
    using Row = decltype(row);
    if constexpr (Row::shape == KernelShape::dot_product) {
      DotProducts<Scalar> in;
      dot_products(i, first, count, self, p, in);
      Row::values(spec_, in, k);
    } else {
      if constexpr (Row::shape == KernelShape::p_norm)
        clear_self(first, count, self, p);
      else
        squared_distances(i, first, count, self, p);
      Row::values(spec_, bandwidth_, k);
    }
  });
}

template <class Scalar>
void PairFunction<Scalar>::weights(Index i, Index first, Index count, Index self, Scalar* p, Scalar* d) const {
  Chunk<Scalar> a(p, count), second(d, count);
  with_family(spec_.family, [&](auto row) {
    using Row = decltype(row);
    if constexpr (Row::shape == KernelShape::dot_product) {
      DotProducts<Scalar> in;
      dot_products(i, first, count, self, p, in);
      Row::weights(spec_, in, a, second);
    } else if constexpr (Row::shape == KernelShape::euclidean) {
      squared_distances(i, first, count, self, p);
      Row::weights(spec_, bandwidth_, a, second);
      second = -a;
    } else {
      throw std::logic_error("weights of a p-norm kernel: see p_norm_weights");
    }
  });
}

template <class Scalar>
void PairFunction<Scalar>::p_norm_weights(Index count, Scalar* p, Scalar* work) const {
  with_family(spec_.family, [&](auto row) {
    using Row = decltype(row);
    if constexpr (Row::shape == KernelShape::p_norm)
      Row::weights(spec_, bandwidth_, Chunk<Scalar>(p, count), Chunk<Scalar>(work, count));
    else
      throw std::logic_error("p-norm weights of another kernel");
  });
}

/// Cosines near 1 are computed from the difference of the unit vectors, those near -1 from their sum.
template <class Scalar>
void PairFunction<Scalar>::dot_products(Index i, Index first, Index count, Index self, const Scalar* p,
                                        DotProducts<Scalar>& in) const {
  static_assert(DotProducts<Scalar>::kCapacity >= kChunk, "a chunk must fit");
  in.count = count;
  in.norm = x_.norms[i];
  in.norms = z_.norms.data() + first;
  const Scalar threshold = kClose<Scalar>;
  int close = self >= first && self < first + count ? 1 : 0;
  for (Index j = 0; j < count; ++j) {
    const Scalar u = p[j] > 1 ? Scalar(1) : (p[j] < -1 ? Scalar(-1) : p[j]);
    const Scalar gap = 1 - std::abs(u);
    close += gap < threshold ? 1 : 0;
    in.cosine[j] = u;
    in.complement[j] = gap / 2;
  }
  if (close == 0) return;
  for (Index j = 0; j < count; ++j) {
    const bool itself = first + j == self && x_.norms[i] > 0;
    if (!itself && !(2 * in.complement[j] < threshold)) continue;
    const Scalar sign = itself || in.cosine[j] > 0 ? Scalar(1) : Scalar(-1);
    const Scalar square = itself ? Scalar(0) : close_difference(i, first + j, sign);  // = 2 - 2 |u|
    in.complement[j] = square / 4;
    in.cosine[j] = sign * (1 - square / 2);
  }
}

template class PairFunction<float>;
template class PairFunction<double>;

}  // namespace ansatz::rfm
