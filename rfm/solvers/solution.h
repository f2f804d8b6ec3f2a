// The options that solvers of a kernel system take, and the solution and summary that they return.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz::rfm {

/// How far an answer's predictions may be from those of the exact coefficients, relative to the targets, through
/// rounding and the residual that an iterative solver leaves. An answer beyond it is mended or refused, never returned.
inline constexpr double kFaithful = 3e-3;

enum class SolverKind { automatic, cholesky, pcg, eigenpro };

struct SolverOptions {
  SolverKind kind = SolverKind::automatic;
  double ridge = 1e-3;  ///< absolute, added to the diagonal of K; >= 0

  // Iterative solvers.
  double tolerance = 1e-5;        ///< done when |(K + ridge I) alpha - Y| <= tolerance |Y| in every column
  Index max_iterations = 500;     ///< pcg
  Index max_epochs = 30;          ///< eigenpro
  Index preconditioner_rank = 0;  ///< columns of K in the Nystrom preconditioner; 0: chosen by n

  Index iterative_from = 6000;  ///< automatic: points from which iterating beats factoring (docs/performance.md)
  double memory = 0;            ///< bytes that may be taken; 0: what is free
};

/// One point of the error-against-time curve of an iterative solver.
struct SolveProgress {
  double seconds = 0;            ///< since the solver began
  double relative_residual = 0;  ///< of the system, over the training rows
  double validation_mse = 0;     ///< NaN without a validation set
};

struct SolveSummary {
  /// Which method has solved: "cholesky", "cholesky with jitter 1e-06", "ldlt", "eigen"; "pcg" or "eigenpro", ", K in
  /// memory" or ", K recomputed".
  std::string method;
  std::string note;      ///< why it is not the method tried first; empty if it is
  double jitter = 0;     ///< what was added to the ridge
  int refinements = 0;   ///< steps of iterative refinement that were kept
  Index iterations = 0;  ///< of pcg; epochs of eigenpro
  Index preconditioner_rank = 0;
  std::string stopped;                 ///< why an iterative solver stopped
  std::vector<SolveProgress> history;  ///< of an iterative solver
  /// |(K + ridge I) alpha - Y|_F / |Y|_F with the ridge as asked, measured in double sums
  double relative_residual = 0;
  double kernel_seconds = 0;  ///< forming K
  double seconds = 0;         ///< solving, residual included, K not
  double flops = 0;           ///< of the factorisation and the triangular solves, or of the products with K
};

/// ConfigError on a ridge that is negative or not finite, or another option out of range.
void validate(const SolverOptions& options);

/// NumericalError if a target is not finite.
template <class Scalar>
void require_finite_targets(const MatrixView<Scalar>& y);

/// From coefficients to their mean squared error on a validation set. Empty: there is none, and no early stopping.
template <class Scalar>
using ValidationError = std::function<double(const Matrix<Scalar>& alpha)>;

/// Where an iterative solver begins (n x c, or empty), and what tells it to stop early.
template <class Scalar>
struct SolveHints {
  Matrix<Scalar> start;
  ValidationError<Scalar> validation;
};

template <class Scalar>
struct Solution {
  Matrix<Scalar> alpha;   ///< n x c
  Matrix<Scalar> fitted;  ///< K alpha, the predictions at X: Y - residual - ridge alpha, n x c
  SolveSummary summary;
};

}  // namespace ansatz::rfm
