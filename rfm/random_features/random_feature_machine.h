// Linear in random features, f(x) = phi(x) w: a network of one hidden layer of which only the last is fitted.
#pragma once

#include <memory>

#include "core/base/random.h"
#include "core/features/predictor.h"
#include "rfm/gradient_outer_product.h"
#include "rfm/random_features/random_features.h"

namespace ansatz::rfm {

/// Immutable; copies share the features. Holds no row of the data.
template <class Scalar>
class RandomFeatureMachine final : public Predictor<Scalar> {
 public:
  /// weights: D x c. Throws DataError if D differs, NumericalError if a weight is not finite.
  RandomFeatureMachine(std::shared_ptr<const RandomFeatures<Scalar>> features, Matrix<Scalar> weights);

  Index input_dimension() const override { return features_->input_dimension(); }
  Index output_dimension() const override { return weights_.cols(); }
  Matrix<Scalar> predict(const MatrixView<Scalar>& x) const override;         ///< in tiles; no b x D array
  Matrix<Scalar> input_jacobian(const MatrixView<Scalar>& x) const override;  ///< 0 at a ReLU's kink

  const RandomFeatures<Scalar>& features() const { return *features_; }
  const Matrix<Scalar>& weights() const { return weights_; }

 private:
  std::shared_ptr<const RandomFeatures<Scalar>> features_;
  Matrix<Scalar> weights_;
};

/// How many rows of that many numbers (features, or gradients) to hold at once: some 128 MB in double.
Index feature_tile_rows(Index width);

/// The share of the frequencies, shortest first, that AGOPs of a heavy-tailed density use. The squared length of a
/// frequency has no mean there: gradients would be noise from a few of the longest (half the AGOP's trace from one of
/// thousands), which predictions, bounded in each feature, do not notice. Without them it is the gradient of a function
/// smoothed over short distances; exact gradients at the kernel's kink count as 0 likewise.
inline constexpr double kGradientShare = 0.95;

/// AGOP over the rows of x (n x d), or options.samples of them drawn from `stream`: per output the gradients are
/// G W F, G as in random_features.h, M = F^T F; one product m x D/2 by D/2 x q an output, in tiles of rows. Always the
/// direct form. Equals core's agop() but for densities of heavy tail (kGradientShare). Throws MemoryError for a full
/// matrix over kDenseLimit columns, ConfigError if samples < 0.
template <class Scalar>
GradientOuterProduct<Scalar> gradient_outer_product(const RandomFeatureMachine<Scalar>& machine,
                                                    const MatrixView<Scalar>& x, const GradientOptions& options,
                                                    const RandomStream& stream);

}  // namespace ansatz::rfm
