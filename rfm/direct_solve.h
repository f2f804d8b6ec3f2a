// (K + ridge I) alpha = Y by factorisation, with a ladder of remedies.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rfm/solution.h"
#include "rfm/symmetric_system.h"

namespace ansatz::rfm {

/// An answer, or why there is none.
template <class Scalar>
struct Attempt {
  std::optional<Solution<Scalar>> solution;
  std::string problem;
};

/// A formed K (n x n, symmetric, both triangles), which is overwritten: one triangle takes the factor; the other keeps
/// K for the residual (summed in double, block by block) and for iterative refinement.
template <class Scalar>
class DirectSolver {
 public:
  /// ConfigError on a negative ridge, DataError if n differs, NumericalError if Y is not finite. Borrows y.
  DirectSolver(Matrix<Scalar> k, const MatrixView<Scalar>& y, const SolverOptions& options);

  /// Cholesky of K + ridge I. No answer where that matrix is not positive definite, alpha not finite, or its residual
  /// above that of alpha = 0.
  Attempt<Scalar> cholesky() { return attempt({Method::cholesky, 0, true}); }

  /// Coefficients for the predictions K alpha = `fitted` (n x c) without what lies in K's null space, which can be huge
  /// and changes no prediction: Cholesky of K + jitter I, refined towards K. Empty where the factorisation fails.
  Matrix<Scalar> coefficients_of(const Matrix<Scalar>& fitted, double jitter);

  /// A ladder, each step logged as a warning: Cholesky; with jitter 1e-7 .. 1e-4 (float64: 1e-14 .. 1e-8) times the
  /// mean diagonal; LDL^T; symmetric eigen-decomposition with eigenvalues below n epsilon of the largest dropped.
  /// Before the last jitter, coefficients so large that rounding may change predictions (prediction_noise) by more than
  /// kFaithful will not do; from there on nothing better is left. NumericalError if no rung has an answer.
  Solution<Scalar> ladder();

  /// The jitters of that ladder, as shares of the mean diagonal.
  static std::vector<double> relative_jitters();
  double mean_diagonal() const;  ///< of K; positive

 private:
  enum class Method { cholesky, ldlt, eigen };
  struct Rung {
    Method method;
    double jitter;
    bool last_resort;
  };
  static std::string describe(const Rung& rung);
  Attempt<Scalar> attempt(const Rung& rung);
  bool factor(const Rung& rung);

  SymmetricSystem<Scalar> system_;
  MatrixView<Scalar> y_;
  SolverOptions options_;
};

/// The ladder for K.
template <class Scalar>
Solution<Scalar> solve_formed(Matrix<Scalar> k, const MatrixView<Scalar>& y, const SolverOptions& options);

/// Root mean square of the rounding of a prediction, a sum of terms of size k_ii alpha_j, relative to that of the
/// targets; 0 for targets of 0. `mean_diagonal`: of K.
template <class Scalar>
double prediction_noise(double mean_diagonal, const Matrix<Scalar>& alpha, const MatrixView<Scalar>& y);

}  // namespace ansatz::rfm
