// A fitted kernel machine, f(x) = K(x, X; M) alpha, as a value.
#pragma once

#include <memory>

#include "core/features/predictor.h"
#include "rfm/kernels/kernel.h"
#include "rfm/pairs/metric_coordinates.h"

namespace ansatz::rfm {

inline constexpr Index kPredictedRows = 4096;  ///< that predict() makes ready at once

/// Centres made ready for one kernel and M: what predictions and gradients start from.
template <class Scalar>
struct PreparedCenters {
  MetricCoordinates<Scalar> coordinates;
  PreparedPoints<Scalar> points;
};
template <class Scalar>
std::shared_ptr<const PreparedCenters<Scalar>> prepare_centers(const Kernel& kernel,
                                                               const FeatureMatrix<Scalar>& metric,
                                                               const MatrixView<Scalar>& centers,
                                                               std::shared_ptr<const SampleSpace<Scalar>> = nullptr);

/// Immutable; copies share the centres and the prepared centres. The first use prepares the centres (n x d numbers,
/// twice that for a full M), and they are kept until forget_prepared(). Safe to call from several threads.
template <class Scalar>
class KernelMachine final : public Predictor<Scalar> {
 public:
  /// centers: n x d, alpha: n x c. Throws DataError if n or d does not fit, NumericalError if alpha is not finite.
  KernelMachine(Kernel kernel, FeatureMatrix<Scalar> metric, std::shared_ptr<const Matrix<Scalar>> centers,
                Matrix<Scalar> alpha, std::shared_ptr<const PreparedCenters<Scalar>> prepared = nullptr);

  Index input_dimension() const override { return centers_->cols(); }
  Index output_dimension() const override { return alpha_.cols(); }
  Matrix<Scalar> predict(const MatrixView<Scalar>& x) const override;         ///< in tiles; no b x n array
  Matrix<Scalar> input_jacobian(const MatrixView<Scalar>& x) const override;  ///< conventions: see PairFunction

  const Kernel& kernel() const { return kernel_; }
  const FeatureMatrix<Scalar>& metric() const { return metric_; }
  const Matrix<Scalar>& centers() const { return *centers_; }  ///< n x d
  std::shared_ptr<const Matrix<Scalar>> shared_centers() const { return centers_; }
  const Matrix<Scalar>& alpha() const { return alpha_; }  ///< n x c

  std::shared_ptr<const PreparedCenters<Scalar>> prepared() const;
  void forget_prepared() { prepared_.reset(); }

 private:
  Kernel kernel_;
  FeatureMatrix<Scalar> metric_;
  std::shared_ptr<const Matrix<Scalar>> centers_;
  Matrix<Scalar> alpha_;
  mutable std::shared_ptr<const PreparedCenters<Scalar>> prepared_;
};

}  // namespace ansatz::rfm
