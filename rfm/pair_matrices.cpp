#include "rfm/pair_matrices.h"

#include <functional>

#include "core/parallel.h"

namespace ansatz::rfm {
namespace {

constexpr Index kPanel =
    256;  // rows a product: enough for its full rate, few enough for the pass to find them in cache
constexpr Index kRowTile = 8;      // rows a task of a pass
constexpr Index kMirrorTile = 64;  // squares that a transposed copy keeps in cache

/// Calls pass(i, first, count) over rows [begin, end) in chunks of columns [first_of(i), columns).
void for_chunks(Index begin, Index end, Index columns, bool upper,
                const std::function<void(Index, Index, Index)>& pass) {
  constexpr Index chunk = PairFunction<float>::kChunk;
  parallel_tiles(end - begin, kRowTile, [&](Index from, Index to) {
    for (Index i = begin + from; i < begin + to; ++i)
      for (Index j = upper ? i : 0; j < columns; j += chunk) pass(i, j, std::min(chunk, columns - j));
  });
}

/// Row panels of the products <p_i, p'_j> into `out`, each handed to panel(begin, end).
template <class Scalar>
void for_panels(const PreparedPoints<Scalar>& x, const PreparedPoints<Scalar>& z, bool upper, Matrix<Scalar>& out,
                const std::function<void(Index, Index)>& panel) {
  const Index b = x.size(), n = z.size();
  out.resize(b, n);
  for (Index begin = 0; begin < b; begin += kPanel) {
    const Index rows = std::min(kPanel, b - begin), from = upper ? begin : 0;
    out.block(begin, from, rows, n - from).noalias() =
        x.points.middleRows(begin, rows) * z.points.bottomRows(n - from).transpose();
    panel(begin, begin + rows);
  }
}

/// Copies the upper triangle to the lower one.
template <class Scalar>
void mirror(Matrix<Scalar>& a) {
  const Index n = a.rows();
  parallel_tiles(n, kMirrorTile, [&](Index begin, Index end) {
    for (Index j = 0; j < begin; j += kMirrorTile)
      a.block(begin, j, end - begin, kMirrorTile) = a.block(j, begin, kMirrorTile, end - begin).transpose();
    for (Index i = begin; i < end; ++i)
      for (Index j = begin; j < i; ++j) a(i, j) = a(j, i);
  });
}

}  // namespace

template <class Scalar>
Matrix<Scalar> kernel_values(const Kernel& kernel, const PreparedPoints<Scalar>& x, const PreparedPoints<Scalar>& z) {
  const PairFunction<Scalar> f(kernel, x, z);
  Matrix<Scalar> k;
  for_panels<Scalar>(x, z, false, k, [&](Index begin, Index end) {
    for_chunks(begin, end, z.size(), false,
               [&](Index i, Index j, Index count) { f.values(i, j, count, -1, &k(i, j)); });
  });
  return k;
}

template <class Scalar>
Matrix<Scalar> kernel_values(const Kernel& kernel, const PreparedPoints<Scalar>& x) {
  const PairFunction<Scalar> f(kernel, x, x);
  Matrix<Scalar> k;
  for_panels<Scalar>(x, x, true, k, [&](Index begin, Index end) {
    for_chunks(begin, end, x.size(), true, [&](Index i, Index j, Index count) { f.values(i, j, count, i, &k(i, j)); });
  });
  mirror(k);
  return k;
}

template <class Scalar>
Matrix<Scalar> squared_distances(const Kernel& kernel, const PreparedPoints<Scalar>& x) {
  const PairFunction<Scalar> f(kernel, x, x);
  Matrix<Scalar> d;
  for_panels<Scalar>(x, x, true, d, [&](Index begin, Index end) {
    for_chunks(begin, end, x.size(), true,
               [&](Index i, Index j, Index count) { f.squared_distances(i, j, count, i, &d(i, j)); });
  });
  mirror(d);
  return d;
}

template <class Scalar>
Matrix<Scalar> gradient_coefficients(const Kernel& kernel, const PreparedPoints<Scalar>& z,
                                     const Matrix<Scalar>& alpha) {
  if (kernel.radial()) return alpha;
  return z.norms.asDiagonal() * alpha;
}

template <class Scalar>
GradientWeights<Scalar> gradient_weights(const Kernel& kernel, const PreparedPoints<Scalar>& x,
                                         const PreparedPoints<Scalar>& z, const std::vector<Index>& self,
                                         const Matrix<Scalar>& coefficients) {
  const PairFunction<Scalar> f(kernel, x, z);
  GradientWeights<Scalar> w;
  w.s.resize(x.size(), coefficients.cols());
  Matrix<Scalar> d(std::min(kPanel, x.size()), z.size());
  for_panels<Scalar>(x, z, false, w.a, [&](Index begin, Index end) {
    for_chunks(begin, end, z.size(), false, [&](Index i, Index j, Index count) {
      const Index itself = self.empty() ? -1 : self[static_cast<std::size_t>(i)];
      f.weights(i, j, count, itself, &w.a(i, j), &d(i - begin, j));
    });
    w.s.middleRows(begin, end - begin).noalias() = d.topRows(end - begin) * coefficients;
  });
  return w;
}

template <class Scalar>
GradientWeights<Scalar> gradient_weights(const Kernel& kernel, const PreparedPoints<Scalar>& x,
                                         const Matrix<Scalar>& coefficients) {
  const PairFunction<Scalar> f(kernel, x, x);
  const Index n = x.size();
  GradientWeights<Scalar> w;
  w.s.setZero(n, coefficients.cols());
  Matrix<Scalar> d(std::min(kPanel, n), n);
  for_panels<Scalar>(x, x, true, w.a, [&](Index begin, Index end) {
    const Index rows = end - begin, rest = n - end;
    for_chunks(begin, end, n, true,
               [&](Index i, Index j, Index count) { f.weights(i, j, count, i, &w.a(i, j), &d(i - begin, j)); });
    for (Index i = begin; i < end; ++i)
      for (Index j = begin; j < i; ++j) d(i - begin, j) = d(j - begin, i);
    const auto square_and_right = d.block(0, begin, rows, n - begin);
    const auto right = d.block(0, end, rows, rest);
    w.s.middleRows(begin, rows).noalias() += square_and_right * coefficients.bottomRows(n - begin);
    if (rest > 0) w.s.bottomRows(rest).noalias() += right.transpose() * coefficients.middleRows(begin, rows);
  });
  mirror(w.a);
  return w;
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                                    \
  template Matrix<Scalar> kernel_values(const Kernel&, const PreparedPoints<Scalar>&, const PreparedPoints<Scalar>&); \
  template Matrix<Scalar> kernel_values(const Kernel&, const PreparedPoints<Scalar>&);                                \
  template Matrix<Scalar> squared_distances(const Kernel&, const PreparedPoints<Scalar>&);                            \
  template Matrix<Scalar> gradient_coefficients(const Kernel&, const PreparedPoints<Scalar>&, const Matrix<Scalar>&); \
  template GradientWeights<Scalar> gradient_weights(const Kernel&, const PreparedPoints<Scalar>&,                     \
                                                    const PreparedPoints<Scalar>&, const std::vector<Index>&,         \
                                                    const Matrix<Scalar>&);                                           \
  template GradientWeights<Scalar> gradient_weights(const Kernel&, const PreparedPoints<Scalar>&,                     \
                                                    const Matrix<Scalar>&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)

}  // namespace ansatz::rfm
