#include "tests/support/matrices.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace ansatz::testing {

Matrix<double> random_orthogonal(Index d, std::uint64_t seed) {
  const Eigen::MatrixXd a = random_matrix(d, d, seed);
  return Eigen::MatrixXd(Eigen::HouseholderQR<Eigen::MatrixXd>(a).householderQ());
}

EigenPairs<double> reference_eigenpairs(const Matrix<double>& m) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver{Eigen::MatrixXd(m)};
  return {solver.eigenvalues().reverse(), solver.eigenvectors().transpose().colwise().reverse()};
}

}  // namespace ansatz::testing
