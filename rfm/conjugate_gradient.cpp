#include "rfm/conjugate_gradient.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/interrupt.h"

namespace ansatz::rfm {
namespace {

/// The state of all columns; those that are done keep still.
template <class Scalar>
class BlockIteration {
 public:
  BlockIteration(const KernelOperator<Scalar>& k, const NystromPreconditioner<Scalar>& preconditioner,
                 const MatrixView<Scalar>& y, const Matrix<Scalar>& start, const ConjugateGradientOptions& options)
      : k_(k), preconditioner_(preconditioner), y_(y.template cast<double>()), options_(options) {
    const double least = std::numeric_limits<double>::min();
    targets_ = options.tolerance * y_.colwise().norm().array().max(least);
    alpha_ =
        start.size() > 0 ? Matrix<double>(start.template cast<double>()) : Matrix<double>::Zero(y.rows(), y.cols());
    residual_ = start.size() > 0 ? true_residual() : y_;
    direction_ = preconditioned_ = preconditioner_.apply(residual_);
    energy_ = residual_.cwiseProduct(preconditioned_).colwise().sum();
  }

  bool column_done(Index j) const { return residual_.col(j).norm() <= targets_[j]; }
  bool done() const {
    for (Index j = 0; j < y_.cols(); ++j)
      if (!column_done(j)) return false;
    return true;
  }

  void step() {
    const Matrix<Scalar> rounded = direction_.template cast<Scalar>();
    const Matrix<double> image = k_.multiply(rounded) + options_.ridge * rounded.template cast<double>();
    for (Index j = 0; j < y_.cols(); ++j) {
      const double curvature = direction_.col(j).dot(image.col(j));
      if (column_done(j) || !(curvature > 0)) continue;
      const double length = energy_[j] / curvature;
      alpha_.col(j) += length * direction_.col(j);
      residual_.col(j) -= length * image.col(j);
    }
    preconditioned_ = preconditioner_.apply(residual_);
    const Eigen::RowVectorXd energy = residual_.cwiseProduct(preconditioned_).colwise().sum();
    for (Index j = 0; j < y_.cols(); ++j)
      direction_.col(j) = preconditioned_.col(j) + (energy_[j] > 0 ? energy[j] / energy_[j] : 0) * direction_.col(j);
    energy_ = energy;
  }

  /// Largest residual as a share of its target.
  double distance() const { return (residual_.colwise().norm().array() / targets_.array()).maxCoeff(); }

  Matrix<Scalar> alpha() const { return alpha_.template cast<Scalar>(); }
  Matrix<double> true_residual() const {
    const Matrix<Scalar> rounded = alpha();
    return y_ - k_.multiply(rounded) - options_.ridge * rounded.template cast<double>();
  }

 private:
  const KernelOperator<Scalar>& k_;
  const NystromPreconditioner<Scalar>& preconditioner_;
  Matrix<double> y_;
  ConjugateGradientOptions options_;
  Eigen::RowVectorXd targets_, energy_;  // c
  Matrix<double> alpha_, residual_, preconditioned_, direction_;
};

}  // namespace

template <class Scalar>
ConjugateGradientResult<Scalar> conjugate_gradient(const KernelOperator<Scalar>& k,
                                                   const NystromPreconditioner<Scalar>& preconditioner,
                                                   const MatrixView<Scalar>& y, const Matrix<Scalar>& start,
                                                   const ConjugateGradientOptions& options) {
  BlockIteration<Scalar> iteration(k, preconditioner, y, start, options);
  ConjugateGradientResult<Scalar> result;
  double best = std::numeric_limits<double>::infinity();
  Index since_best = 0;
  while (!iteration.done() && result.iterations < options.max_iterations && since_best < kPatience) {
    iteration.step();
    throw_if_interrupted();
    ++result.iterations;
    const double distance = iteration.distance();
    since_best = distance < 0.9 * best ? 0 : since_best + 1;
    best = std::min(best, distance);
  }
  result.converged = iteration.done();
  result.stopped = result.converged          ? fmt::format("every residual is below {:g}", options.tolerance)
                   : since_best >= kPatience ? fmt::format("no progress in {} iterations", kPatience)
                                             : fmt::format("{} iterations", options.max_iterations);
  result.alpha = iteration.alpha();
  result.residual = iteration.true_residual();
  return result;
}

template ConjugateGradientResult<float> conjugate_gradient(const KernelOperator<float>&,
                                                           const NystromPreconditioner<float>&,
                                                           const MatrixView<float>&, const Matrix<float>&,
                                                           const ConjugateGradientOptions&);
template ConjugateGradientResult<double> conjugate_gradient(const KernelOperator<double>&,
                                                            const NystromPreconditioner<double>&,
                                                            const MatrixView<double>&, const Matrix<double>&,
                                                            const ConjugateGradientOptions&);

}  // namespace ansatz::rfm
