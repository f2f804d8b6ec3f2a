#include "core/linalg.h"

#include <lapacke.h>

#include <cmath>
#include <string>

#include "core/error.h"

namespace ansatz {
namespace {

lapack_int syevd(lapack_int n, float* a, float* w) { return LAPACKE_ssyevd(LAPACK_COL_MAJOR, 'V', 'U', n, a, n, w); }
lapack_int syevd(lapack_int n, double* a, double* w) { return LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'U', n, a, n, w); }

}  // namespace

template <class Scalar>
EigenPairs<Scalar> symmetric_eigenpairs(const Matrix<Scalar>& a) {
  const Index n = a.rows();
  if (!a.allFinite()) throw NumericalError("eigen-decomposition: the matrix has entries that are not finite");
  // Our row-major lower triangle is LAPACK's column-major upper one; eigenvectors come back as columns, that is, our rows.
  Matrix<Scalar> vectors = a;
  Vector<Scalar> values(n);
  const lapack_int info = n == 0 ? 0 : syevd(static_cast<lapack_int>(n), vectors.data(), values.data());
  if (info != 0) throw NumericalError("eigen-decomposition did not converge (LAPACK syevd info " + std::to_string(info) + ")");
  EigenPairs<Scalar> pairs{values.reverse(), vectors.colwise().reverse()};
  for (Index i = 0; i < n; ++i) {
    Index largest = 0;
    pairs.vectors.row(i).cwiseAbs().maxCoeff(&largest);
    if (pairs.vectors(i, largest) < 0) pairs.vectors.row(i) *= Scalar(-1);
  }
  return pairs;
}

template EigenPairs<float> symmetric_eigenpairs(const Matrix<float>&);
template EigenPairs<double> symmetric_eigenpairs(const Matrix<double>&);

}  // namespace ansatz
