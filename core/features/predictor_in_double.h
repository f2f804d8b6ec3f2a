// A model of either precision, asked and answering in double.
#pragma once

#include "core/features/predictor.h"

namespace ansatz {

/// Borrows the model. Inputs are rounded to its Scalar.
template <class Scalar>
class PredictorInDouble final : public Predictor<double> {
 public:
  explicit PredictorInDouble(const Predictor<Scalar>& model) : model_(model) {}
  Index input_dimension() const override { return model_.input_dimension(); }
  Index output_dimension() const override { return model_.output_dimension(); }
  Matrix<double> predict(const MatrixView<double>& x) const override {
    return model_.predict(Matrix<Scalar>(x.template cast<Scalar>())).template cast<double>();
  }
  Matrix<double> input_jacobian(const MatrixView<double>& x) const override {
    return model_.input_jacobian(Matrix<Scalar>(x.template cast<Scalar>())).template cast<double>();
  }

 private:
  const Predictor<Scalar>& model_;
};

}  // namespace ansatz
