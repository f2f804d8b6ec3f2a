// f(x) = K(x, X; M) alpha: a fitted kernel machine, a value.
#pragma once

#include <memory>

#include "core/predictor.h"
#include "rfm/kernels.h"
#include "rfm/solve.h"

namespace ansatz::rfm {

template <class Scalar>
class KernelMachine final : public Predictor<Scalar> {
 public:
  KernelMachine(Kernel kernel, FeatureMatrix<Scalar> metric, std::shared_ptr<const Matrix<Scalar>> centers, Matrix<Scalar> alpha);

  Index input_dimension() const override;
  Index output_dimension() const override;
  Matrix<Scalar> predict(const MatrixView<Scalar>& x) const override;         ///< tiled; holds b_tile x n at once
  Matrix<Scalar> input_jacobian(const MatrixView<Scalar>& x) const override;  ///< from pair_weights, tiled

  const Kernel& kernel() const { return kernel_; }
  const FeatureMatrix<Scalar>& metric() const { return metric_; }
  const Matrix<Scalar>& centers() const { return *centers_; }  ///< n x d
  std::shared_ptr<const Matrix<Scalar>> shared_centers() const { return centers_; }
  const Matrix<Scalar>& alpha() const { return alpha_; }       ///< n x c

 private:
  Kernel kernel_;
  FeatureMatrix<Scalar> metric_;
  std::shared_ptr<const Matrix<Scalar>> centers_;
  Matrix<Scalar> alpha_;
};

template <class Scalar>
struct KernelFit {
  KernelMachine<Scalar> machine;
  SolveSummary summary;
};

/// Kernel ridge regression on x (n x d), y (n x c).
template <class Scalar>
KernelFit<Scalar> fit_kernel_machine(const KernelSpec& kernel, const FeatureMatrix<Scalar>& metric,
                                     std::shared_ptr<const Matrix<Scalar>> x, const Matrix<Scalar>& y,
                                     const SolverOptions& solver, const RandomStream& stream);

}  // namespace ansatz::rfm
