#include "rfm/solvers/solution.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/error.h"

namespace ansatz::rfm {

void validate(const SolverOptions& options) {
  if (!(options.ridge >= 0) || !std::isfinite(options.ridge))
    throw ConfigError(fmt::format("ridge must be at least 0, is {:g}", options.ridge));
  if (!(options.tolerance > 0) || options.tolerance >= 1)
    throw ConfigError(fmt::format("solver tolerance must lie between 0 and 1, is {:g}", options.tolerance));
  if (options.max_iterations < 1)
    throw ConfigError(fmt::format("solver max_iterations must be at least 1, is {}", options.max_iterations));
  if (options.max_epochs < 1)
    throw ConfigError(fmt::format("solver max_epochs must be at least 1, is {}", options.max_epochs));
  if (options.preconditioner_rank < 0)
    throw ConfigError(fmt::format("preconditioner_rank must be at least 0, is {}", options.preconditioner_rank));
}

template <class Scalar>
void require_finite_targets(const MatrixView<Scalar>& y) {
  if (!y.allFinite())
    throw NumericalError("solve: the targets hold values that are not finite; look for missing values");
}

template <class Scalar>
double KeptKernel<Scalar>::bytes() const {
  const double n = system_ ? static_cast<double>(system_->size()) : 0;
  return n * n * sizeof(Scalar);
}

template <class Scalar>
Matrix<Scalar> KeptKernel<Scalar>::take() {
  Matrix<Scalar> k = system_->release();
  system_.reset();
  return k;
}

template <class Scalar>
SymmetricSystem<Scalar> KeptKernel<Scalar>::take_system() {
  SymmetricSystem<Scalar> system = std::move(*system_);
  system_.reset();
  return system;
}

template class KeptKernel<float>;
template class KeptKernel<double>;
template void require_finite_targets<float>(const MatrixView<float>&);
template void require_finite_targets<double>(const MatrixView<double>&);

}  // namespace ansatz::rfm
