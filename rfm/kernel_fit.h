// Kernel ridge regression: from rows and targets to a kernel machine.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/base/random.h"
#include "core/data/dataset.h"
#include "rfm/kernel_machine.h"
#include "rfm/kernel_pairs.h"
#include "rfm/solvers/solve.h"

namespace ansatz::rfm {

template <class Scalar>
struct KernelFit {
  KernelMachine<Scalar> machine;
  SolveSummary summary;
  Matrix<Scalar> fitted;  ///< predictions at x, n x c, from the measured residual: no second pass over K
};

/// What an iterative solver may use besides the system itself.
template <class Scalar>
struct FitHints {
  Matrix<Scalar> start;                         ///< n x c or empty: where an iterative solver begins
  const Dataset<Scalar>* validation = nullptr;  ///< its error stops eigenpro early; null or empty: no stop
  std::shared_ptr<const SampleSpace<Scalar>> sample_space = nullptr;  ///< of x
};

/// Kernel ridge regression on x (n x d), y (n x c). An adaptive bandwidth draws from stream.named("bandwidth"), a
/// preconditioner from stream.named("preconditioner").
template <class Scalar>
KernelFit<Scalar> fit_kernel_machine(const KernelSpec& kernel, const FeatureMatrix<Scalar>& metric,
                                     std::shared_ptr<const Matrix<Scalar>> x, const Matrix<Scalar>& y,
                                     const SolverOptions& solver, const RandomStream& stream,
                                     const FitHints<Scalar>& hints = {});

/// One kernel on the same rows, fitted again and again with other ridges (or other solvers): the prepared rows, K, and
/// the kernel values between validation rows and rows are computed once and kept (n^2 and n_validation n numbers). A
/// fit is that of fit_kernel_machine(), to the bit; but where kSpectralSolves fits or more are to come, a direct solver
/// takes one eigen-decomposition of K (n^2 numbers more) for all of them, where rounding allows it, and fits agree to
/// its residual.
template <class Scalar>
class KernelSystem {
 public:
  /// As fit_kernel_machine(). y and the hints' validation rows are borrowed. `fits`: how many are to come.
  KernelSystem(const KernelSpec& kernel, FeatureMatrix<Scalar> metric, std::shared_ptr<const Matrix<Scalar>> x,
               const Matrix<Scalar>& y, const RandomStream& stream, FitHints<Scalar> hints = {}, Index fits = 1);
  /// Of a kernel that looks at these pairs beside others.
  KernelSystem(const KernelSpec& kernel, std::shared_ptr<KernelPairs<Scalar>> pairs, const Matrix<Scalar>& y,
               const RandomStream& stream, Index fits = 1);

  KernelFit<Scalar> fit(const SolverOptions& solver);

  /// machine.predict(validation.inputs) for a machine that fit() returned. DataError without validation rows.
  Matrix<Scalar> predict_validation(const KernelMachine<Scalar>& machine);

 private:
  std::shared_ptr<KernelPairs<Scalar>> pairs_;
  const Matrix<Scalar>& y_;
  RandomStream stream_;
  FitHints<Scalar> hints_;
  bool spectral_;
  Kernel kernel_;
  KeptKernel<Scalar> kept_;
  std::vector<Matrix<Scalar>> validation_values_;  // K(validation, x), some rows each; empty until they are needed
};

}  // namespace ansatz::rfm
