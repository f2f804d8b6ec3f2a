// Predictors with known gradients.
#pragma once

#include <utility>

#include "core/base/error.h"
#include "core/features/predictor.h"

namespace ansatz::testing {

/// f(x) = A x + b, with A c x d: the gradient of output j is row j of A everywhere.
template <class Scalar>
class LinearPredictor final : public Predictor<Scalar> {
 public:
  explicit LinearPredictor(Matrix<Scalar> a, double b = 0) : a_(std::move(a)), b_(static_cast<Scalar>(b)) {}
  Index input_dimension() const override { return a_.cols(); }
  Index output_dimension() const override { return a_.rows(); }
  Matrix<Scalar> predict(const MatrixView<Scalar>& x) const override { return (x * a_.transpose()).array() + b_; }
  Matrix<Scalar> input_jacobian(const MatrixView<Scalar>& x) const override { return a_.replicate(x.rows(), 1); }

 private:
  Matrix<Scalar> a_;
  Scalar b_;
};

/// f_j(x) = x^T S_j x / 2 with symmetric S_j (stacked as (c d) x d): gradient S_j x. `error` is added to every gradient
/// entry of the last output, to see whether a check notices.
template <class Scalar>
class QuadraticPredictor final : public Predictor<Scalar> {
 public:
  explicit QuadraticPredictor(Matrix<Scalar> stacked, double error = 0)
      : stacked_(std::move(stacked)), error_(static_cast<Scalar>(error)) {}
  Index input_dimension() const override { return stacked_.cols(); }
  Index output_dimension() const override { return stacked_.rows() / stacked_.cols(); }
  Matrix<Scalar> predict(const MatrixView<Scalar>& x) const override {
    Matrix<Scalar> y(x.rows(), output_dimension());
    for (Index j = 0; j < y.cols(); ++j) y.col(j) = (x * part(j)).cwiseProduct(x).rowwise().sum() / Scalar(2);
    return y;
  }
  Matrix<Scalar> input_jacobian(const MatrixView<Scalar>& x) const override {
    const Index c = output_dimension();
    Matrix<Scalar> jacobian(x.rows() * c, x.cols());
    for (Index i = 0; i < x.rows(); ++i)
      for (Index j = 0; j < c; ++j) {
        jacobian.row(i * c + j) = x.row(i) * part(j);
        if (j + 1 == c) jacobian.row(i * c + j).array() += error_;
      }
    return jacobian;
  }

 private:
  Matrix<Scalar> part(Index j) const { return stacked_.middleRows(j * stacked_.cols(), stacked_.cols()); }
  Matrix<Scalar> stacked_;
  Scalar error_;
};

}  // namespace ansatz::testing
