#include "rfm/solvers/iterative/conjugate_gradient.h"

#include <fmt/format.h>

#include <cmath>
#include <deque>
#include <limits>
#include <numeric>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/machine/interrupt.h"

namespace ansatz::rfm {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kDiverged = 1000;  // a residual this many times the least one so far does not recover

/// The iteration on all columns of Y at once. A column that is done no longer changes. For each column the coefficients
/// that had its least residual are kept.
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
    restart(start.size() > 0 ? true_residual() : y_);
  }

  bool column_done(Index j) const { return residual_.col(j).norm() <= targets_[j]; }
  bool done() const {
    for (Index j = 0; j < y_.cols(); ++j)
      if (!column_done(j)) return false;
    return true;
  }

  /// Whether a residual has grown far beyond the column's least one, or is not finite.
  bool diverged() const {
    for (Index j = 0; j < y_.cols(); ++j)
      if (!(residual_.col(j).norm() <= kDiverged * best_norms_[j])) return true;
    return false;
  }

  /// One step of every column that is not done. Returns by how much the squared energy norm of the error fell.
  double step() {
    double gained = 0;
    const Matrix<Scalar> rounded = direction_.template cast<Scalar>();
    const Matrix<double> image = k_.multiply(rounded) + options_.ridge * rounded.template cast<double>();
    for (Index j = 0; j < y_.cols(); ++j) {
      const double curvature = direction_.col(j).dot(image.col(j));
      if (column_done(j) || !(curvature > 0)) continue;
      const double length = energy_[j] / curvature;
      alpha_.col(j) += length * direction_.col(j);
      gained += length * energy_[j];
      residual_.col(j) -= length * image.col(j);
      keep_if_best(j);
    }
    preconditioned_ = preconditioner_.apply(residual_);
    const Eigen::RowVectorXd energy = residual_.cwiseProduct(preconditioned_).colwise().sum();
    for (Index j = 0; j < y_.cols(); ++j)
      direction_.col(j) = preconditioned_.col(j) + (energy_[j] > 0 ? energy[j] / energy_[j] : 0) * direction_.col(j);
    energy_ = energy;
    return gained;
  }

  /// r^T P^-1 r, summed over the columns. If P were K + ridge I, this would be the squared energy norm of the error.
  double preconditioned_energy() const { return energy_.cwiseMax(0.0).sum(); }

  double relative_residual() const {
    return residual_.norm() / std::max(y_.norm(), std::numeric_limits<double>::min());
  }
  /// Largest residual as a share of its target.
  double distance() const { return (residual_.colwise().norm().array() / targets_.array()).maxCoeff(); }

  Matrix<Scalar> alpha() const { return alpha_.template cast<Scalar>(); }

  /// Y - (K + ridge I) alpha for alpha as it will be returned, rounded to Scalar.
  Matrix<double> true_residual() const {
    const Matrix<double> rounded = alpha().template cast<double>();
    return y_ - k_.multiply_in_double(rounded) - options_.ridge * rounded;
  }

  /// Sets every column to the coefficients that had its least residual.
  void go_back_to_best() { alpha_ = best_; }

  /// Begins anew from a residual that was measured, instead of the one that the recurrence has.
  void restart(const Matrix<double>& residual) {
    alpha_ = alpha().template cast<double>();
    residual_ = residual;
    best_ = alpha_;
    best_norms_ = residual_.colwise().norm();
    direction_ = preconditioned_ = preconditioner_.apply(residual_);
    energy_ = residual_.cwiseProduct(preconditioned_).colwise().sum();
  }

 private:
  void keep_if_best(Index j) {
    const double norm = residual_.col(j).norm();
    if (!(norm < best_norms_[j])) return;
    best_norms_[j] = norm;
    best_.col(j) = alpha_.col(j);
  }

  const KernelOperator<Scalar>& k_;
  const NystromPreconditioner<Scalar>& preconditioner_;
  Matrix<double> y_;
  ConjugateGradientOptions options_;
  Eigen::RowVectorXd targets_, energy_, best_norms_;  // c
  Matrix<double> alpha_, residual_, preconditioned_, direction_, best_;
};

/// Estimates the squared energy norm of the error by how much the last steps reduced it. If there were very few steps,
/// P must be close to K + ridge I, and the estimate by P alone will do.
class ErrorEnergy {
 public:
  void add(double gained) {
    gains_.push_back(gained);
    if (gains_.size() > kWindow) gains_.pop_front();
    ++steps_;
  }
  double estimate(double preconditioned) const {
    if (steps_ <= 2 * kWindow) return preconditioned;
    return std::max(preconditioned, std::accumulate(gains_.begin(), gains_.end(), 0.0));
  }

 private:
  static constexpr std::size_t kWindow = 3;
  std::deque<double> gains_;
  std::size_t steps_ = 0;
};

/// Tells whether the residual has improved by a tenth within the last kPatience iterations.
class Progress {
 public:
  void add(double distance) {
    since_best_ = distance < 0.9 * best_ ? 0 : since_best_ + 1;
    best_ = std::min(best_, distance);
  }
  bool goes_on() const { return since_best_ < kPatience; }

 private:
  double best_ = std::numeric_limits<double>::infinity();
  Index since_best_ = 0;
};

std::string in_words(Termination termination, const ConjugateGradientOptions& options) {
  switch (termination) {
    case Termination::converged:
      return fmt::format("every residual is below {:g}", options.tolerance);
    case Termination::diverged:
      return "the residual grew a thousandfold; the least is kept";
    case Termination::iteration_limit:
      return fmt::format("{} iterations", options.max_iterations);
    case Termination::direct:
    case Termination::validation:
    case Termination::stalled:
      break;
  }
  return "rounding leaves no further progress";
}

}  // namespace

template <class Scalar>
ConjugateGradientResult<Scalar> conjugate_gradient(const KernelOperator<Scalar>& k,
                                                   const NystromPreconditioner<Scalar>& preconditioner,
                                                   const MatrixView<Scalar>& y, const Matrix<Scalar>& start,
                                                   const ConjugateGradientOptions& options,
                                                   const ValidationError<Scalar>& validation) {
  const Stopwatch begin;
  BlockIteration<Scalar> iteration(k, preconditioner, y, start, options);
  ConjugateGradientResult<Scalar> result;
  Progress progress;
  ErrorEnergy energy;
  bool diverged = false;
  for (;;) {
    while (!iteration.done() && !diverged && result.iterations < options.max_iterations && progress.goes_on()) {
      energy.add(iteration.step());
      throw_if_interrupted();
      ++result.iterations;
      progress.add(iteration.distance());
      result.history.push_back({begin.seconds(), iteration.relative_residual(),
                                validation && !k.stored() ? validation(iteration.alpha()) : kNaN});
      diverged = iteration.diverged();
    }
    iteration.go_back_to_best();
    const double before = result.residual.size() > 0 ? result.residual.norm() : std::numeric_limits<double>::infinity();
    result.residual = iteration.true_residual();
    const bool claimed = iteration.done();
    iteration.restart(result.residual);
    if (iteration.done()) result.termination = Termination::converged;
    // Another round from the true residual, as long as each round halves it.
    if (iteration.done() || !claimed || result.residual.norm() > 0.5 * before) break;
    progress = Progress();
  }
  result.alpha = iteration.alpha();
  result.error_energy = std::sqrt(energy.estimate(iteration.preconditioned_energy()));
  if (result.termination != Termination::converged && diverged)
    result.termination = Termination::diverged;
  else if (result.termination != Termination::converged && result.iterations >= options.max_iterations)
    result.termination = Termination::iteration_limit;
  result.stopped = in_words(result.termination, options);
  return result;
}

template ConjugateGradientResult<float> conjugate_gradient(const KernelOperator<float>&,
                                                           const NystromPreconditioner<float>&,
                                                           const MatrixView<float>&, const Matrix<float>&,
                                                           const ConjugateGradientOptions&,
                                                           const ValidationError<float>&);
template ConjugateGradientResult<double> conjugate_gradient(const KernelOperator<double>&,
                                                            const NystromPreconditioner<double>&,
                                                            const MatrixView<double>&, const Matrix<double>&,
                                                            const ConjugateGradientOptions&,
                                                            const ValidationError<double>&);

}  // namespace ansatz::rfm
