#include "rfm/gradients/p_norm_gradients.h"

#include "core/machine/parallel.h"
#include "rfm/pairs/pair_function.h"
#include "rfm/pairs/power_sums.h"

namespace ansatz::rfm {
namespace {

constexpr Index kSteps = Index{1} << 16;  // entries of |u|^(p-1) sign u at once: 256 kB in float32

/// The weights W of p_norm_gradients(), b x n.
template <class Scalar>
Matrix<Scalar> weights(const Kernel& kernel, const PreparedPoints<Scalar>& x, const PreparedPoints<Scalar>& z) {
  const PairFunction<Scalar> f(kernel, x, z);
  Matrix<Scalar> w(x.size(), z.size());
  for_tiles<Scalar>(x.size(), z.size(), [&](const Tile& t, Matrix<Scalar>& values) {
    Eigen::Array<Scalar, kTile, 1> work;
    f.coordinate_sums(t, values);
    for (Index i = 0; i < t.rows; ++i) f.p_norm_weights(t.columns, &values(i, 0), work.data());
    w.block(t.row, t.column, t.rows, t.columns) = values;
  });
  return w;
}

/// |u|^(p-1) sign(u) for u = x - z over the coordinates of a pair; 0 where |u| <= noise.
template <class Scalar>
void signed_powers(double p, const Scalar* x, const Scalar* z, Index count, Scalar noise, Scalar* out) {
  const auto fill = [&](const auto& magnitude) {
    for (Index k = 0; k < count; ++k) {
      const Scalar u = x[k] - z[k], size = std::abs(u), h = magnitude(size, k);
      const Scalar kept = size > noise ? h : Scalar(0);
      out[k] = u < 0 ? -kept : kept;
    }
  };
  if (p == 1) return fill([](Scalar, Index) { return Scalar(1); });
  if (p == 2) return fill([](Scalar size, Index) { return size; });
  if (p == 1.5) return fill([](Scalar size, Index) { return std::sqrt(size); });
  using Row = Eigen::Array<Scalar, Eigen::Dynamic, 1>;
  Eigen::Map<Row> powers(out, count);
  powers = (Eigen::Map<const Row>(x, count) - Eigen::Map<const Row>(z, count)).abs();
  powers = (static_cast<Scalar>(p - 1) * powers.log()).exp();
  fill([out](Scalar, Index k) { return out[k]; });
}

}  // namespace

template <class Scalar>
Matrix<Scalar> p_norm_gradients(const Kernel& kernel, const PreparedPoints<Scalar>& x, const PreparedPoints<Scalar>& z,
                                const Matrix<Scalar>& alpha) {
  const Index b = x.size(), n = z.size(), q = z.points.cols(), c = alpha.cols();
  const Index tile = std::clamp<Index>(kSteps / std::max<Index>(1, q), 16, kTile);
  const Matrix<Scalar> w = weights(kernel, x, z);
  Matrix<Scalar> result(c * b, q);
  parallel_for(b, [&](Index i) {
    thread_local Matrix<Scalar> steps, weighted, gradients;
    gradients.setZero(c, q);
    for (Index first = 0; first < n; first += tile) {
      const Index count = std::min(tile, n - first);
      steps.resize(count, q);
      for (Index j = 0; j < count && q > 0; ++j)
        signed_powers(kernel.spec().norm, &x.points(i, 0), &z.points(first + j, 0), q,
                      coordinate_noise(x, x.norms[i] + z.norms[first + j]), &steps(j, 0));
      weighted = w.row(i).segment(first, count).transpose().asDiagonal() * alpha.middleRows(first, count);
      gradients.noalias() -= weighted.transpose() * steps;
    }
    for (Index output = 0; output < c; ++output) result.row(output * b + i) = gradients.row(output);
  });
  return result;
}

Index p_norm_gradient_rows(Index centers, Index width, Index outputs, std::size_t scalar_bytes) {
  const Index bytes = Index{64} << 20, row = std::max<Index>(1, std::max(centers, width * outputs));
  return std::max<Index>(16, bytes / (static_cast<Index>(scalar_bytes) * row));
}

template Matrix<float> p_norm_gradients(const Kernel&, const PreparedPoints<float>&, const PreparedPoints<float>&,
                                        const Matrix<float>&);
template Matrix<double> p_norm_gradients(const Kernel&, const PreparedPoints<double>&, const PreparedPoints<double>&,
                                         const Matrix<double>&);

}  // namespace ansatz::rfm
