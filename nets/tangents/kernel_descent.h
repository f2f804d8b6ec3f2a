// Gradient descent of a model that is linear in its parameters, seen through its kernel: in closed form, at any time.
#pragma once

#include "core/linalg/linalg.h"

namespace ansatz::nets {

/// The loss is the mean over the n training points and the c outputs of (f - y)^2, as in training. A linear model with
/// the kernel Theta then has df/dt = -(2 / (n c)) Theta(., X) (f(X) - y) under gradient flow (Lee et al. 2019), and its
/// steps replace the exponential by a power. At time t it is f_t(x) = f_0(x) + Theta(x, X) a_t, theta_t = theta_0 +
/// J(X)^T a_t, with the coefficients a_t that the functions here return (n x c).
class KernelDescent {
 public:
  /// `kernel`: of the training points, symmetric positive semi-definite: (n c) x (n c), as
  /// TangentOptions::Outputs::pairs has it, or n x n, the same for each output on its own. `residual`: f_0(X) - y,
  /// n x c. DataError if the shapes do not fit, NumericalError if an entry is not finite.
  KernelDescent(const Matrix<double>& kernel, Matrix<double> residual);

  Matrix<double> flow(double time) const;                ///< after gradient flow for that time
  Matrix<double> steps(Index count, double rate) const;  ///< after that many gradient steps of that learning rate
  Matrix<double> limit() const;                          ///< as time goes to infinity: -Theta^+ residual
  double largest_stable_rate() const;                    ///< steps converge below: n c / (largest eigenvalue)

 private:
  /// -V diag(shrinkage(eigenvalue of the loss's Hessian)) V^T residual * 2 / (n c).
  template <class Shrinkage>
  Matrix<double> coefficients(Shrinkage&& shrinkage) const;

  EigenPairs<double> spectrum_;
  Matrix<double> residual_;  // n x c
  Matrix<double> rotated_;   // in the eigenvectors' coordinates, a column for each vector of residuals
  double per_term_ = 0;      // 2 / (n c)
};

}  // namespace ansatz::nets
