#include "core/linalg/alignment.h"

#include <string>

#include "core/base/error.h"

namespace ansatz {
namespace {

std::string shape(const Matrix<double>& a) { return std::to_string(a.rows()) + " x " + std::to_string(a.cols()); }

void check_same_shape(const Matrix<double>& a, const Matrix<double>& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols())
    throw DataError("kernel alignment: the matrices are " + shape(a) + " and " + shape(b));
}

double share(double product, double size) { return size > 0 ? product / size : 0; }

}  // namespace

double alignment(const Matrix<double>& a, const Matrix<double>& b) {
  check_same_shape(a, b);
  return share(a.cwiseProduct(b).sum(), a.norm() * b.norm());
}

double target_alignment(const Matrix<double>& kernel, const Matrix<double>& targets) {
  if (kernel.rows() != targets.rows() || kernel.cols() != targets.rows())
    throw DataError("kernel alignment: a kernel matrix of " + shape(kernel) + " and targets of " + shape(targets));
  const Matrix<double> gram = targets.transpose() * targets;  // c x c, of the same norm as Y Y^T
  return share((kernel * targets).cwiseProduct(targets).sum(), kernel.norm() * gram.norm());
}

double relative_distance(const Matrix<double>& a, const Matrix<double>& b) {
  check_same_shape(a, b);
  return (a - b).norm() / b.norm();
}

}  // namespace ansatz
