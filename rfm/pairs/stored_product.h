// The product of a stored kernel matrix with a few vectors: what an iteration of a solver costs.
#pragma once

#include "core/base/matrix.h"

namespace ansatz::rfm {

/// K v for a symmetric K (n x n, both triangles stored) and v (n x c), with products in the type of v; sums over more
/// than 2048 terms are taken in double, in an order that does not depend on threads. For two to eight columns one
/// triangle of K is read, each entry for both its places; the library's product would wait for memory c times.
template <class Scalar, class Coefficient>
Matrix<double> multiply_stored(const Matrix<Scalar>& k, const Matrix<Coefficient>& v);

}  // namespace ansatz::rfm
