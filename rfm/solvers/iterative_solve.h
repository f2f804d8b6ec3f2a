// A kernel system given to the iterative solver that was chosen, and whether its answer will do.
#pragma once

#include <string>

#include "core/base/random.h"
#include "rfm/pairs/kernel_operator.h"
#include "rfm/solvers/solution.h"
#include "rfm/solvers/solve.h"

namespace ansatz::rfm {

/// A system and what is asked of its solution.
template <class Scalar>
struct SolveTask {
  const Kernel& kernel;
  const PreparedPoints<Scalar>& points;
  const MatrixView<Scalar>& y;
  const SolverOptions& options;
  const RandomStream& stream;
  const SolveHints<Scalar>& hints;
};

/// What an iterative solver found. `problem` says why it will not do; empty: nothing is known against it.
template <class Scalar>
struct Iterated {
  Solution<Scalar> solution;
  std::string problem;
  bool stopped_early = false;  ///< it will do, but a direct solver would come closer to what was asked
};

/// Solves by the iterative solver chosen, `pcg` or `eigenpro`. If a validation set stops eigenpro, its answer need only
/// be better than 0.
template <class Scalar>
Iterated<Scalar> iterate(const SolveTask<Scalar>& task, const KernelOperator<Scalar>& k, const SolverChoice& choice);

}  // namespace ansatz::rfm
