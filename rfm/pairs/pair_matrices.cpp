#include "rfm/pairs/pair_matrices.h"

#include <algorithm>
#include <numeric>

#include "core/machine/memory.h"
#include "rfm/pairs/pair_tiles.h"

namespace ansatz::rfm {
namespace {

/// Calls pass(i, first, count, p) for each row of a tile of the upper triangle; p points at the entry (i, first).
template <class Scalar, class Pass>
void over_upper_rows(const Tile& t, Matrix<Scalar>& values, const Pass& pass) {
  for (Index i = 0; i < t.rows; ++i) {
    const Index first = t.on_diagonal() ? i : 0;
    pass(t.row + i, t.column + first, t.columns - first, &values(i, first));
  }
}

/// Transposes in squares: the columns of a whole tile lie a power of two apart, and few of those fit in the cache.
template <class Scalar>
void store_transposed(const Matrix<Scalar>& values, Index row, Index column, Matrix<Scalar>& out) {
  constexpr Index kSquare = 16;
  for (Index i = 0; i < values.rows(); i += kSquare) {
    const Index rows = std::min(kSquare, values.rows() - i);
    for (Index j = 0; j < values.cols(); j += kSquare) {
      const Index columns = std::min(kSquare, values.cols() - j);
      out.block(column + j, row + i, columns, rows) = values.block(i, j, rows, columns).transpose();
    }
  }
}

/// Stores a tile of the upper triangle and its mirror image, while the tile is in cache.
template <class Scalar>
void store_symmetric(const Tile& t, Matrix<Scalar>& values, Matrix<Scalar>& out) {
  if (t.on_diagonal())
    values.template triangularView<Eigen::StrictlyLower>() = values.transpose();
  else
    store_transposed(values, t.row, t.column, out);
  out.block(t.row, t.column, t.rows, t.columns) = values;
}

/// The symmetric n x n matrix that pass() makes of the coordinate sums of f.
template <class Scalar, class Pass>
Matrix<Scalar> symmetric_matrix(const PairFunction<Scalar>& f, Index n, const Pass& pass) {
  Matrix<Scalar> out = large_matrix<Scalar>(n, n);
  for_upper_tiles<Scalar>(n, [&](const Tile& t, Matrix<Scalar>& values) {
    f.coordinate_sums(t, values);
    over_upper_rows(t, values, pass);
    store_symmetric(t, values, out);
  });
  return out;
}

/// A second buffer of the size of a tile: one takes A, the other D.
template <class Scalar>
Matrix<Scalar>& second_buffer(const Tile& t) {
  thread_local Matrix<Scalar> values;
  values.resize(t.rows, t.columns);
  return values;
}

}  // namespace

template <class Scalar>
Matrix<Scalar> kernel_values(const Kernel& kernel, const PreparedPoints<Scalar>& x, const PreparedPoints<Scalar>& z) {
  const PairFunction<Scalar> f(kernel, x, z);
  Matrix<Scalar> k = large_matrix<Scalar>(x.size(), z.size());
  for_tiles<Scalar>(x.size(), z.size(), [&](const Tile& t, Matrix<Scalar>& values) {
    f.coordinate_sums(t, values);
    for (Index i = 0; i < t.rows; ++i) f.values(t.row + i, t.column, t.columns, -1, &values(i, 0));
    k.block(t.row, t.column, t.rows, t.columns) = values;
  });
  return k;
}

template <class Scalar>
Matrix<Scalar> kernel_values(const Kernel& kernel, const PreparedPoints<Scalar>& x) {
  const PairFunction<Scalar> f(kernel, x, x);
  return symmetric_matrix(f, x.size(),
                          [&](Index i, Index first, Index count, Scalar* p) { f.values(i, first, count, i, p); });
}

template <class Scalar>
Matrix<Scalar> coordinate_sums(const Kernel& kernel, const PreparedPoints<Scalar>& x, const PreparedPoints<Scalar>& z) {
  const PairFunction<Scalar> f(kernel, x, z);
  Matrix<Scalar> sums = large_matrix<Scalar>(x.size(), z.size());
  for_tiles<Scalar>(x.size(), z.size(), [&](const Tile& t, Matrix<Scalar>& values) {
    f.coordinate_sums(t, values);
    sums.block(t.row, t.column, t.rows, t.columns) = values;
  });
  return sums;
}

template <class Scalar>
Matrix<Scalar> coordinate_sums(const Kernel& kernel, const PreparedPoints<Scalar>& x) {
  const PairFunction<Scalar> f(kernel, x, x);
  return symmetric_matrix(f, x.size(), [](Index, Index, Index, Scalar*) {});
}

template <class Scalar, class Coefficient>
Matrix<double> multiply_kernel(const Kernel& kernel, const PreparedPoints<Scalar>& x, const Matrix<Coefficient>& g) {
  const PairFunction<Scalar> f(kernel, x, x);
  return multiply_symmetric_tiles<Scalar>(g, [&](const Tile& t, Matrix<Scalar>& values) {
    f.coordinate_sums(t, values);
    over_upper_rows(t, values, [&](Index i, Index first, Index count, Scalar* p) { f.values(i, first, count, i, p); });
  });
}

template <class Scalar>
Matrix<double> multiply_kernel(const Kernel& kernel, const PreparedPoints<Scalar>& x, const PreparedPoints<Scalar>& z,
                               const Matrix<Scalar>& g) {
  const PairFunction<Scalar> f(kernel, x, z);
  return multiply_tiles<Scalar>(x.size(), g, [&](const Tile& t, Matrix<Scalar>& values) {
    f.coordinate_sums(t, values);
    for (Index i = 0; i < t.rows; ++i) f.values(t.row + i, t.column, t.columns, -1, &values(i, 0));
  });
}

template <class Scalar>
Matrix<double> multiply_values(const Matrix<Scalar>& k, const Matrix<Scalar>& g) {
  return multiply_tiles<Scalar>(k.rows(), g, [&](const Tile& t, Matrix<Scalar>& values) {
    values = k.block(t.row, t.column, t.rows, t.columns);
  });
}

template <class Scalar>
Matrix<Scalar> squared_distances(const Kernel& kernel, const PreparedPoints<Scalar>& x) {
  const PairFunction<Scalar> f(kernel, x, x);
  return symmetric_matrix(
      f, x.size(), [&](Index i, Index first, Index count, Scalar* p) { f.squared_distances(i, first, count, i, p); });
}

template <class Scalar>
Matrix<Scalar> gradient_coefficients(const Kernel& kernel, const PreparedPoints<Scalar>& z,
                                     const Matrix<Scalar>& alpha) {
  if (kernel.radial()) return alpha;
  if (kernel.by_norm_product()) return z.norms.asDiagonal() * alpha;
  return z.norms.unaryExpr(&gradient_length<Scalar>).asDiagonal() * alpha;
}

template <class Scalar>
GradientWeights<Scalar> gradient_weights(const Kernel& kernel, const PreparedPoints<Scalar>& x,
                                         const PreparedPoints<Scalar>& z, const std::vector<Index>& self,
                                         const Matrix<Scalar>& coefficients) {
  const PairFunction<Scalar> f(kernel, x, z);
  GradientWeights<Scalar> w;
  w.a = large_matrix<Scalar>(x.size(), z.size());
  w.s = multiply_tiles<Scalar>(x.size(), coefficients, [&](const Tile& t, Matrix<Scalar>& d) {
          Matrix<Scalar>& a = second_buffer<Scalar>(t);
          f.coordinate_sums(t, a);
          for (Index i = 0; i < t.rows; ++i) {
            const Index itself = self.empty() ? -1 : self[static_cast<std::size_t>(t.row + i)];
            f.weights(t.row + i, t.column, t.columns, itself, &a(i, 0), &d(i, 0));
          }
          w.a.block(t.row, t.column, t.rows, t.columns) = a;
        }).template cast<Scalar>();
  return w;
}

template <class Scalar>
GradientWeights<Scalar> gradient_weights(const Kernel& kernel, const PreparedPoints<Scalar>& x,
                                         const Matrix<Scalar>& coefficients) {
  if (!kernel.radial() && !kernel.by_norm_product()) {
    std::vector<Index> self(static_cast<std::size_t>(x.size()));
    std::iota(self.begin(), self.end(), Index{0});
    return gradient_weights(kernel, x, x, self, coefficients);
  }
  const PairFunction<Scalar> f(kernel, x, x);
  GradientWeights<Scalar> w;
  w.a = large_matrix<Scalar>(x.size(), x.size());
  w.s = multiply_symmetric_tiles<Scalar>(coefficients, [&](const Tile& t, Matrix<Scalar>& d) {
          Matrix<Scalar>& a = second_buffer<Scalar>(t);
          f.coordinate_sums(t, a);
          over_upper_rows(t, a, [&](Index i, Index first, Index count, Scalar* p) {
            f.weights(i, first, count, i, p, &d(i - t.row, first - t.column));
          });
          store_symmetric(t, a, w.a);
        }).template cast<Scalar>();
  return w;
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                                     \
  template Matrix<Scalar> kernel_values(const Kernel&, const PreparedPoints<Scalar>&, const PreparedPoints<Scalar>&);  \
  template Matrix<Scalar> kernel_values(const Kernel&, const PreparedPoints<Scalar>&);                                 \
  template Matrix<Scalar> coordinate_sums(const Kernel&, const PreparedPoints<Scalar>&,                                \
                                          const PreparedPoints<Scalar>&);                                              \
  template Matrix<Scalar> coordinate_sums(const Kernel&, const PreparedPoints<Scalar>&);                               \
  template Matrix<double> multiply_kernel(const Kernel&, const PreparedPoints<Scalar>&, const PreparedPoints<Scalar>&, \
                                          const Matrix<Scalar>&);                                                      \
  template Matrix<double> multiply_values(const Matrix<Scalar>&, const Matrix<Scalar>&);                               \
  template Matrix<Scalar> squared_distances(const Kernel&, const PreparedPoints<Scalar>&);                             \
  template Matrix<Scalar> gradient_coefficients(const Kernel&, const PreparedPoints<Scalar>&, const Matrix<Scalar>&);  \
  template GradientWeights<Scalar> gradient_weights(const Kernel&, const PreparedPoints<Scalar>&,                      \
                                                    const PreparedPoints<Scalar>&, const std::vector<Index>&,          \
                                                    const Matrix<Scalar>&);                                            \
  template GradientWeights<Scalar> gradient_weights(const Kernel&, const PreparedPoints<Scalar>&,                      \
                                                    const Matrix<Scalar>&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE
template Matrix<double> multiply_kernel(const Kernel&, const PreparedPoints<float>&, const Matrix<float>&);
template Matrix<double> multiply_kernel(const Kernel&, const PreparedPoints<float>&, const Matrix<double>&);
template Matrix<double> multiply_kernel(const Kernel&, const PreparedPoints<double>&, const Matrix<double>&);

}  // namespace ansatz::rfm
