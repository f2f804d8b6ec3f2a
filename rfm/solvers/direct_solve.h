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

/// From coefficients to predictions, in double, at points that are not training rows. Empty: no such points are
/// checked.
template <class Scalar>
using PredictBetween = std::function<Matrix<double>(const Matrix<Scalar>& alpha)>;

/// From how many solves with one K on its eigen-decomposition replaces Cholesky for each. By flops 27 would do (9 n^3
/// against n^3 / 3); LAPACK decomposes at a lower rate than it factors, by an estimate, not yet measured.
inline constexpr Index kSpectralSolves = 40;

/// Solves with a formed K (n x n, symmetric, both triangles), which is overwritten: one triangle takes the factor, the
/// other keeps K for the residual (summed in double, block by block) and for iterative refinement.
template <class Scalar>
class DirectSolver {
 public:
  /// ConfigError on a negative ridge, DataError if n differs, NumericalError if Y is not finite. Borrows y.
  DirectSolver(Matrix<Scalar> k, const MatrixView<Scalar>& y, const SolverOptions& options,
               PredictBetween<Scalar> between = {});
  DirectSolver(SymmetricSystem<Scalar> k, const MatrixView<Scalar>& y, const SolverOptions& options,
               PredictBetween<Scalar> between = {});

  /// Cholesky of K + ridge I. There is no answer if that matrix is not positive definite, if alpha is not finite, or if
  /// its residual is above that of alpha = 0.
  Attempt<Scalar> cholesky() { return attempt({Method::cholesky, 0}); }

  /// By the eigen-decomposition of K, which serves every ridge: it costs as much as some kSpectralSolves Cholesky
  /// factors, each further ridge 4 n^2 c flops. There is no answer where cholesky() would have none, or if an
  /// eigenvalue of K + ridge I is so small that rounding has left it no four digits (float64) or none at all (float32).
  Attempt<Scalar> spectral();

  /// Coefficients alpha with K alpha = `fitted` (n x c), without the part of them in K's null space, which can be huge
  /// and changes no prediction. By Cholesky of K + jitter diag(K), refined towards K. Empty if the factorisation fails.
  Matrix<Scalar> coefficients_of(const Matrix<Scalar>& fitted, double jitter);

  /// Climbs a ladder of remedies until one has an answer; each one that has none is logged as a warning:
  /// - Cholesky, first without jitter, then with 1e-14 .. 1e-8 (float32: 1e-7 .. 1e-4) times the diagonal added to it;
  /// - LDL^T, if K + jitter was never positive definite;
  /// - then also a symmetric eigen-decomposition that drops eigenvalues below n epsilon of the largest.
  /// No remedy has an answer if its coefficients are so large that rounding may change predictions by more than
  /// kFaithful (see prediction_noise). Cholesky's answer with jitter, or without but with pivots near rounding, must
  /// predict the same, to kFaithful, as with ten times that jitter (or a few epsilon of it), at the rows and between
  /// them: it is then the limit of small ridges, not something that rounding or the jitter made. LDL^T and the
  /// eigen-decomposition must solve the system as asked. Throws NumericalError if no remedy has an answer.
  Solution<Scalar> ladder();

  /// The jitters of that ladder, as shares of the diagonal.
  static std::vector<double> relative_jitters();
  const Vector<Scalar>& diagonal() const { return system_.diagonal(); }  ///< of K
  SymmetricSystem<Scalar> release() { return std::move(system_); }       ///< with K, for another solver

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
  std::string first_problem_;  // the first remedy without an answer, and why it has none
  bool definite_ = false;      // whether Cholesky succeeded, be it with jitter
  int factored_ = 0;           // factorisations so far
};

/// DirectSolver::ladder() for K.
template <class Scalar>
Solution<Scalar> solve_formed(Matrix<Scalar> k, const MatrixView<Scalar>& y, const SolverOptions& options,
                              PredictBetween<Scalar> between = {});

/// Estimates how much rounding changes a prediction, which is a sum of terms up to sqrt(k_ii k_jj) alpha_j: the root
/// mean square of that change relative to the targets' root mean square; 0 if all targets are 0. `diagonal` is K's.
template <class Scalar>
double prediction_noise(const Vector<Scalar>& diagonal, const Matrix<Scalar>& alpha, const MatrixView<Scalar>& y);

}  // namespace ansatz::rfm
