// Square tiles of pairs: a tile's products and its elementwise pass happen in one core's cache.
#pragma once

#include <algorithm>
#include <functional>

#include "core/base/matrix.h"

namespace ansatz::rfm {

/// What one pair's elementwise work costs, in flops of a product.
inline constexpr double kPassFlops = 30;

inline constexpr Index kTile = 256;  ///< rows and columns: 256 kB in float32, and products at full rate

struct Tile {
  Index row, rows, column, columns;
  bool on_diagonal() const { return row == column; }
};

/// What a caller computes of one tile: into `values` (rows x columns; allocated, reused).
template <class Scalar>
using TileFunction = std::function<void(const Tile&, Matrix<Scalar>& values)>;

/// Every tile of a rows x columns matrix, on all threads. Functions must not depend on order or thread.
template <class Scalar>
void for_tiles(Index rows, Index columns, const TileFunction<Scalar>& function);

/// The tiles on and right of the diagonal of an n x n matrix, on all threads.
template <class Scalar>
void for_upper_tiles(Index n, const TileFunction<Scalar>& function);

/// D g (rows x c) for the rows x n matrix D whose tiles `fill` computes; g: n x c. D is never stored. A tile's products
/// are in the type of g, in double if that is double; tiles are summed in double, in an order that does not depend on
/// threads.
template <class Scalar, class Coefficient>
Matrix<double> multiply_tiles(Index rows, const Matrix<Coefficient>& g, const TileFunction<Scalar>& fill);

/// The same for a symmetric n x n D: `fill` computes the tiles on and right of the diagonal (of those on it, the upper
/// triangle will do), each of which is used twice.
template <class Scalar, class Coefficient>
Matrix<double> multiply_symmetric_tiles(const Matrix<Coefficient>& g, const TileFunction<Scalar>& fill);

}  // namespace ansatz::rfm
