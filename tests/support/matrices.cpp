#include "tests/support/matrices.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include "core/machine/parallel.h"

namespace ansatz::testing {

Matrix<double> random_orthogonal(Index d, std::uint64_t seed) {
  const ThreadScope one_thread(1);  // hundreds of short BLAS calls: on a busy machine threads would only wait
  const Eigen::MatrixXd a = random_matrix(d, d, seed);
  return Eigen::MatrixXd(Eigen::HouseholderQR<Eigen::MatrixXd>(a).householderQ());
}

EigenPairs<double> reference_eigenpairs(const Matrix<double>& m) {
  const ThreadScope one_thread(1);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver{Eigen::MatrixXd(m)};
  return {solver.eigenvalues().reverse(), solver.eigenvectors().transpose().colwise().reverse()};
}

}  // namespace ansatz::testing
