// Square tiles of pairs: a tile's products and its elementwise pass happen in one core's cache.
#pragma once

#include <algorithm>
#include <functional>

#include "core/base/matrix.h"

namespace ansatz::rfm {

/// What the elementwise work on one pair costs, in flops of a matrix product.
inline constexpr double kPassFlops = 30;

inline constexpr Index kTile = 256;  ///< rows and columns: 256 kB in float32, and products at full rate

struct Tile {
  Index row, rows, column, columns;
  bool on_diagonal() const { return row == column; }
};

/// What a caller computes of one tile: into `values` (rows x columns; allocated, reused).
template <class Scalar>
using TileFunction = std::function<void(const Tile&, Matrix<Scalar>& values)>;

/// Calls `function` for every tile of a rows x columns matrix, on all threads and in no particular order.
template <class Scalar>
void for_tiles(Index rows, Index columns, const TileFunction<Scalar>& function);

/// The same for the tiles on and right of the diagonal of an n x n matrix.
template <class Scalar>
void for_upper_tiles(Index n, const TileFunction<Scalar>& function);

/// D g (rows x c) for the rows x n matrix D whose tiles `fill` computes; g: n x c. D is never stored. The product of a
/// tile is computed in the type of g; tiles are summed in double, in an order that does not depend on threads.
template <class Scalar, class Coefficient>
Matrix<double> multiply_tiles(Index rows, const Matrix<Coefficient>& g, const TileFunction<Scalar>& fill);

/// The same for a symmetric n x n matrix D. `fill` computes the tiles on and right of the diagonal, each of which is
/// used twice; of a tile on the diagonal it need only compute the upper triangle.
template <class Scalar, class Coefficient>
Matrix<double> multiply_symmetric_tiles(const Matrix<Coefficient>& g, const TileFunction<Scalar>& fill);

}  // namespace ansatz::rfm
