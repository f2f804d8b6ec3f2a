#include <lapacke.h>

#include "core/base/error.h"
#include "core/linalg/lapack.h"
#include "rfm/pairs/metric_coordinates.h"

namespace ansatz::rfm {
namespace {

int pstrf(Index d, float* a, int* pivots, int* rank) {
  return LAPACKE_spstrf(LAPACK_COL_MAJOR, 'L', int(d), a, int(d), pivots, rank, -1);  // tolerance d epsilon max m_ii
}
int pstrf(Index d, double* a, int* pivots, int* rank) {
  return LAPACKE_dpstrf(LAPACK_COL_MAJOR, 'L', int(d), a, int(d), pivots, rank, -1);
}

}  // namespace

template <class Scalar>
Matrix<Scalar> semidefinite_root(Matrix<Scalar> m) {
  const Index d = m.rows();
  if (!m.allFinite()) throw NumericalError("kernel: the feature matrix is not finite");
  Matrix<Scalar> copy = m;
  if (potrf(d, copy.data()) == 0) {
    copy.template triangularView<Eigen::StrictlyLower>().setZero();
    return copy;
  }
  std::vector<int> pivots(static_cast<std::size_t>(d));
  int rank = 0;
  if (pstrf(d, m.data(), pivots.data(), &rank) < 0)
    throw NumericalError("kernel: the feature matrix cannot be factored");
  if (m.rows() > 0 && rank == 0 && copy.trace() < 0) throw NumericalError("kernel: the feature matrix is negative");
  Matrix<Scalar> root = Matrix<Scalar>::Zero(rank, d);
  for (Index i = 0; i < rank; ++i)
    for (Index j = i; j < d; ++j) root(i, pivots[static_cast<std::size_t>(j)] - 1) = m(i, j);
  return root;
}

template Matrix<float> semidefinite_root(Matrix<float>);
template Matrix<double> semidefinite_root(Matrix<double>);

}  // namespace ansatz::rfm
