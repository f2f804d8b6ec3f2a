// The one interface that networks and kernel machines share: what metrics, gradient outer products and checks use of a
// trained model.
#pragma once

#include "core/base/matrix.h"

namespace ansatz {

template <class Scalar>
class Predictor {
 public:
  virtual ~Predictor() = default;
  virtual Index input_dimension() const = 0;   ///< d
  virtual Index output_dimension() const = 0;  ///< c
  /// x (b x d) -> f(x) (b x c). Throws DataError if x has another width.
  virtual Matrix<Scalar> predict(const MatrixView<Scalar>& x) const = 0;
  /// Row i*c + j holds the gradient of output j at x_i: (b*c) x d.
  virtual Matrix<Scalar> input_jacobian(const MatrixView<Scalar>& x) const = 0;
};

}  // namespace ansatz
