// The options that solvers of a kernel system take, and the solution and summary that they return.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/matrix.h"
#include "core/record/solve_summary.h"
#include "rfm/solvers/iterative/validation_error.h"
#include "rfm/solvers/symmetric_system.h"

namespace ansatz::rfm {

/// How far an answer's predictions may be from those of the exact coefficients, relative to the targets, through
/// rounding and the residual that an iterative solver leaves. An answer beyond it is mended or refused, never returned.
inline constexpr double kFaithful = 3e-3;

/// The relative residual up to which the rounding of the coefficients may explain it; a larger one is never excused.
inline constexpr double kExcusable = 1e-3;

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

  bool operator==(const SolverOptions& o) const {
    return std::tie(kind, ridge, tolerance, max_iterations, max_epochs, preconditioner_rank, iterative_from, memory) ==
           std::tie(o.kind, o.ridge, o.tolerance, o.max_iterations, o.max_epochs, o.preconditioner_rank,
                    o.iterative_from, o.memory);
  }
};

/// ConfigError on a ridge that is negative or not finite, or another option out of range.
void validate(const SolverOptions& options);

/// NumericalError if a target is not finite.
template <class Scalar>
void require_finite_targets(const MatrixView<Scalar>& y);

/// K(X, X; M) between the solves of one kernel on one set of points, with different ridges or targets: each takes it
/// from here, if it is there, and leaves it here if it still has it. The numbers are those without it. Holds n^2
/// numbers.
template <class Scalar>
class KeptKernel {
 public:
  bool empty() const { return !system_; }
  double bytes() const;
  void keep(SymmetricSystem<Scalar> system) { system_ = std::move(system); }
  Matrix<Scalar> take();                  ///< empty afterwards
  SymmetricSystem<Scalar> take_system();  ///< with what is known of its spectrum; empty afterwards
  void drop() { system_.reset(); }

 private:
  std::optional<SymmetricSystem<Scalar>> system_;  // restored only if K is wanted again
};

/// Where an iterative solver begins (n x c, or empty), what tells it to stop early, where K is kept, if it is, and
/// whether a direct solver may decompose K for many ridges.
template <class Scalar>
struct SolveHints {
  Matrix<Scalar> start;
  ValidationError<Scalar> validation;
  KeptKernel<Scalar>* kept = nullptr;
  bool spectral = false;  ///< needs `kept`
};

template <class Scalar>
struct Solution {
  Matrix<Scalar> alpha;   ///< n x c
  Matrix<Scalar> fitted;  ///< K alpha, the predictions at X: Y - residual - ridge alpha, n x c
  SolveSummary summary;
};

}  // namespace ansatz::rfm
