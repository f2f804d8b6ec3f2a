// (K + ridge I) alpha = Y by factorisation, with a ladder of remedies.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rfm/solvers/solution.h"
#include "rfm/solvers/symmetric_system.h"

namespace ansatz::rfm {

/// An answer, or why there is none.
template <class Scalar>
struct Attempt {
  std::optional<Solution<Scalar>> solution;
  std::string problem;
};

/// Predictions at points that are no rows, in double, from coefficients; empty: none are looked at.
template <class Scalar>
using PredictBetween = std::function<Matrix<double>(const Matrix<Scalar>& alpha)>;

/// A formed K (n x n, symmetric, both triangles), which is overwritten: one triangle takes the factor; the other keeps
/// K for the residual (summed in double, block by block) and for iterative refinement.
template <class Scalar>
class DirectSolver {
 public:
  /// ConfigError on a negative ridge, DataError if n differs, NumericalError if Y is not finite. Borrows y.
  DirectSolver(Matrix<Scalar> k, const MatrixView<Scalar>& y, const SolverOptions& options,
               PredictBetween<Scalar> between = {});

  /// Cholesky of K + ridge I. No answer where that matrix is not positive definite, alpha not finite, or its residual
  /// above that of alpha = 0.
  Attempt<Scalar> cholesky() { return attempt({Method::cholesky, 0}); }

  /// Coefficients for the predictions K alpha = `fitted` (n x c) without what lies in K's null space, which can be huge
  /// and changes no prediction: Cholesky of K + jitter diag(K), refined towards K. Empty where the factorisation fails.
  Matrix<Scalar> coefficients_of(const Matrix<Scalar>& fitted, double jitter);

  /// A ladder, each step logged as a warning: Cholesky; with jitter 1e-14 .. 1e-8 (float32: 1e-7 .. 1e-4) times the
  /// diagonal; where K + jitter is never positive definite, LDL^T, and a symmetric eigen-decomposition with eigenvalues
  /// below n epsilon of the largest dropped. Coefficients so large that rounding may change predictions
  /// (prediction_noise) by more than kFaithful will not do on any rung. An answer with jitter, or without but with
  /// pivots near rounding, counts if ten times that jitter (a few epsilon) predicts the same to kFaithful, at the rows
  /// and between them: then it is the limit of small ridges, not what rounding or the jitter made. The last two have to
  /// solve the system as asked. NumericalError if no rung has an answer.
  Solution<Scalar> ladder();

  /// The jitters of that ladder, as shares of the diagonal.
  static std::vector<double> relative_jitters();
  const Vector<Scalar>& diagonal() const { return system_.diagonal(); }  ///< of K

 private:
  enum class Method { cholesky, ldlt, eigen };
  struct Rung {
    Method method;
    double jitter;
  };
  static std::string describe(const Rung& rung);
  Attempt<Scalar> attempt(const Rung& rung);
  Attempt<Scalar> faithful(const Rung& rung);
  bool factor(const Rung& rung);
  double difference(const Solution<Scalar>& a, const Solution<Scalar>& b) const;
  void pass_over(const Rung& rung, const std::string& problem);
  std::optional<Solution<Scalar>> by_cholesky();
  std::optional<Solution<Scalar>> without_jitter(Method method);

  SymmetricSystem<Scalar> system_;
  MatrixView<Scalar> y_;
  SolverOptions options_;
  PredictBetween<Scalar> between_;
  std::string first_problem_;  // of the ladder, and why there is no answer so far
  bool definite_ = false;      // Cholesky went well, if with jitter
  int factored_ = 0;
};

/// The ladder for K.
template <class Scalar>
Solution<Scalar> solve_formed(Matrix<Scalar> k, const MatrixView<Scalar>& y, const SolverOptions& options,
                              PredictBetween<Scalar> between = {});

/// Root mean square of the rounding of a prediction, a sum of terms up to sqrt(k_ii k_jj) alpha_j, relative to that of
/// the targets; 0 for targets of 0. `diagonal`: of K.
template <class Scalar>
double prediction_noise(const Vector<Scalar>& diagonal, const Matrix<Scalar>& alpha, const MatrixView<Scalar>& y);

}  // namespace ansatz::rfm
