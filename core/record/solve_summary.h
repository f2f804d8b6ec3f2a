// How a kernel system was solved.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

/// Why a solver ended where it did.
enum class Termination {
  direct,           ///< a factorisation: nothing was iterated
  converged,        ///< the residual is within the tolerance
  iteration_limit,  ///< as many iterations or epochs as were allowed
  stalled,          ///< rounding, or a singular system, leaves no further progress
  diverged,         ///< the residual grew; the best coefficients before that were kept
  validation,       ///< the validation error no longer fell
};
const char* name_of(Termination termination);  ///< "iteration_limit"
/// Of a name; none if it is none of them.
std::optional<Termination> termination_named(std::string_view name);

/// One point of the error-against-time curve of an iterative solver.
struct SolveProgress {
  double seconds = 0;            ///< since the solver began
  double relative_residual = 0;  ///< of the system, over the training rows
  double validation_mse = 0;     ///< NaN without one; of several standardised outputs in the unit of the models
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
  Termination termination = Termination::direct;
  std::string stopped;                 ///< the same in words, with its numbers; empty for a direct solver
  std::vector<SolveProgress> history;  ///< of an iterative solver
  /// |(K + ridge I) alpha - Y|_F / |Y|_F with the ridge as asked, measured in double sums
  double relative_residual = 0;
  double kernel_seconds = 0;  ///< forming K
  double seconds = 0;         ///< solving, residual included, K not
  double flops = 0;           ///< of the factorisation and the triangular solves, or of the products with K
};

}  // namespace ansatz
