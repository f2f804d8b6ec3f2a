#include "rfm/pairs/pair_tiles.h"

#include <vector>

#include "core/machine/parallel.h"

namespace ansatz::rfm {
namespace {

Index blocks(Index count) { return (count + kTile - 1) / kTile; }

Tile tile_at(Index row_block, Index column_block, Index rows, Index columns) {
  const Index row = row_block * kTile, column = column_block * kTile;
  return {row, std::min(kTile, rows - row), column, std::min(kTile, columns - column)};
}

template <class Scalar>
void evaluate(const Tile& tile, const TileFunction<Scalar>& function, Matrix<Scalar>& values) {
  values.resize(tile.rows, tile.columns);
  function(tile, values);
}

template <class Scalar>
Matrix<Scalar>& buffer() {
  thread_local Matrix<Scalar> values;
  return values;
}

/// Adds the parts of a row of tiles, in order of their columns, to the rows of `sum` that begin at `row`.
template <class Coefficient>
void add_in_order(const std::vector<Matrix<Coefficient>>& parts, Index row, Matrix<double>& sum) {
  for (const Matrix<Coefficient>& part : parts) sum.middleRows(row, part.rows()) += part.template cast<double>();
}

}  // namespace

template <class Scalar>
void for_tiles(Index rows, Index columns, const TileFunction<Scalar>& function) {
  const Index across = blocks(columns);
  parallel_for(blocks(rows) * across, [&](Index task) {
    evaluate(tile_at(task / across, task % across, rows, columns), function, buffer<Scalar>());
  });
}

template <class Scalar>
void for_upper_tiles(Index n, const TileFunction<Scalar>& function) {
  std::vector<Tile> tiles;
  for (Index i = 0; i < blocks(n); ++i)
    for (Index j = i; j < blocks(n); ++j) tiles.push_back(tile_at(i, j, n, n));
  parallel_for(static_cast<Index>(tiles.size()),
               [&](Index task) { evaluate(tiles[static_cast<std::size_t>(task)], function, buffer<Scalar>()); });
}

template <class Scalar, class Coefficient>
Matrix<double> multiply_tiles(Index rows, const Matrix<Coefficient>& g, const TileFunction<Scalar>& fill) {
  const Index n = g.rows(), across = blocks(n);
  Matrix<double> sum = Matrix<double>::Zero(rows, g.cols());
  std::vector<Matrix<Coefficient>> parts(static_cast<std::size_t>(across));
  for (Index i = 0; i < blocks(rows); ++i) {
    parallel_for(across, [&](Index j) {
      const Tile tile = tile_at(i, j, rows, n);
      Matrix<Scalar>& values = buffer<Scalar>();
      evaluate(tile, fill, values);
      parts[static_cast<std::size_t>(j)].noalias() =
          values.template cast<Coefficient>() * g.middleRows(tile.column, tile.columns);
    });
    add_in_order(parts, i * kTile, sum);
  }
  return sum;
}

template <class Scalar, class Coefficient>
Matrix<double> multiply_symmetric_tiles(const Matrix<Coefficient>& g, const TileFunction<Scalar>& fill) {
  const Index n = g.rows(), count = blocks(n);
  Matrix<double> sum = Matrix<double>::Zero(n, g.cols());
  for (Index i = 0; i < count; ++i) {
    std::vector<Matrix<Coefficient>> parts(static_cast<std::size_t>(count - i));
    parallel_for(count - i, [&](Index offset) {
      const Tile tile = tile_at(i, i + offset, n, n);
      Matrix<Scalar>& values = buffer<Scalar>();
      evaluate(tile, fill, values);
      if (tile.on_diagonal()) {
        values.template triangularView<Eigen::StrictlyLower>() = values.transpose();
      } else {
        const Matrix<Coefficient> mirrored =
            values.transpose().template cast<Coefficient>() * g.middleRows(tile.row, tile.rows);
        sum.middleRows(tile.column, tile.columns) += mirrored.template cast<double>();
      }
      parts[static_cast<std::size_t>(offset)].noalias() =
          values.template cast<Coefficient>() * g.middleRows(tile.column, tile.columns);
    });
    add_in_order(parts, i * kTile, sum);
  }
  return sum;
}

#define ANSATZ_INSTANTIATE(Scalar)                                            \
  template void for_tiles<Scalar>(Index, Index, const TileFunction<Scalar>&); \
  template void for_upper_tiles<Scalar>(Index, const TileFunction<Scalar>&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE
#define ANSATZ_INSTANTIATE(Scalar, Coefficient)                                                                   \
  template Matrix<double> multiply_tiles<Scalar>(Index, const Matrix<Coefficient>&, const TileFunction<Scalar>&); \
  template Matrix<double> multiply_symmetric_tiles<Scalar>(const Matrix<Coefficient>&, const TileFunction<Scalar>&);
ANSATZ_INSTANTIATE(float, float)
ANSATZ_INSTANTIATE(float, double)
ANSATZ_INSTANTIATE(double, double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz::rfm
