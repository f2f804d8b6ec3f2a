#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "rfm/pairs/pair_tiles.h"
#include "rfm/solvers/iterative/eigenpro.h"
#include "rfm/solvers/solve.h"

namespace ansatz::rfm {
namespace {

constexpr double kTypicalIterations = 40;
/// A factorisation costs the same for any number of outputs, an iteration one product with K for each: every output
/// moves the crossing by so many points. (Few outputs cost as much as one: their products wait for memory.)
constexpr Index kPointsAnOutput = 700;
/// What an iteration costs for each entry of a K in memory, in flops of a factorisation: the wait for K, or c products.
constexpr Index kEntryFlops = 50, kEntryFlopsAnOutput = 4;
constexpr Index kLeastIterations = 20;

Index default_rank(Index n) {
  const auto rank = static_cast<Index>(8 * std::sqrt(static_cast<double>(n)));
  return std::min(n, std::clamp<Index>(rank, 100, 1500));
}

/// Of an iteration on a K in memory.
Index entry_flops(const SystemSize& size) { return std::max(kEntryFlops, kEntryFlopsAnOutput * size.outputs); }

/// Iterations that cost as much as the factorisation of a K in memory. To change over then costs at most twice what the
/// better of the two would have, however hard the system is.
Index worth_of_factoring(const SystemSize& size) {
  return std::max(kLeastIterations, size.points / 3 / entry_flops(size));
}

/// Flops and bytes of the solver chosen.
void add_cost(const SystemSize& size, const SolverOptions& options, std::size_t scalar_bytes, SolverChoice& choice) {
  const double n = static_cast<double>(size.points), q = static_cast<double>(size.width);
  const double c = static_cast<double>(size.outputs), s = static_cast<double>(choice.preconditioner_rank);
  const double scalar = static_cast<double>(scalar_bytes), form = n * n * (q + kPassFlops / 2);  // one triangle of K
  choice.bytes = choice.stored ? n * n * scalar : 0;
  choice.flops = choice.stored ? form : 0;
  if (choice.kind == SolverKind::cholesky) {
    choice.flops += n * n * n / 3 + 4 * n * n * c;
  } else if (choice.kind == SolverKind::pcg) {
    const double product = choice.stored ? n * n * static_cast<double>(entry_flops(size)) : 2 * n * n * c + form;
    choice.flops += 4 * n * s * s + kTypicalIterations * (product + 4 * n * s * c);
    choice.bytes += scalar * n * s + 16 * s * s + 8 * 8 * n * c;
  } else {
    choice.flops += static_cast<double>(options.max_epochs) * (2 * n * n * c + (choice.stored ? 0 : 2 * form));
    choice.bytes += (choice.stored ? 1 : 2) * std::min(kEigenProBatchBytes, scalar * n * n);
  }
}

}  // namespace

std::string SolverChoice::describe() const {
  for (const SolverInfo& row : solver_table()) {
    if (row.kind != kind) continue;
    return kind == SolverKind::cholesky ? row.name : row.name + (stored ? ", K in memory" : ", K recomputed");
  }
  throw std::logic_error("a solver without a name");
}

bool factors_directly(Index points, const SolverOptions& options) {
  return options.kind == SolverKind::cholesky ||
         (options.kind == SolverKind::automatic && points < options.iterative_from);
}

SolverChoice choose_solver(const SystemSize& size, const SolverOptions& options, std::size_t scalar_bytes,
                           double free_bytes) {
  const double n = static_cast<double>(size.points), matrix = n * n * static_cast<double>(scalar_bytes);
  const bool fits = matrix <= kShareOfMemory * (options.memory > 0 ? options.memory : free_bytes);
  SolverChoice choice;
  choice.kind = options.kind;
  choice.reason = "asked for";
  if (options.kind == SolverKind::automatic) {
    const Index an_output = std::min(kPointsAnOutput, options.iterative_from);
    const Index for_outputs = fits ? an_output * size.outputs : 0;
    const Index bound = std::max(options.iterative_from, for_outputs);
    choice.kind = size.points < bound ? SolverKind::cholesky : SolverKind::pcg;
    choice.reason = fmt::format("n {} {}", size.points < bound ? "<" : ">=", bound);
    if (bound > options.iterative_from) choice.reason += fmt::format(" for {} outputs", size.outputs);
  }
  choice.stored = choice.kind == SolverKind::cholesky || fits;
  if (!choice.stored) choice.reason += fmt::format("; K would take {:.1f} GB", matrix / 1e9);
  if (choice.kind == SolverKind::pcg) {
    choice.preconditioner_rank = options.preconditioner_rank > 0 ? std::min(size.points, options.preconditioner_rank)
                                                                 : default_rank(size.points);
    const bool changes_over = options.kind == SolverKind::automatic && choice.stored;
    choice.iterations =
        changes_over ? std::min(options.max_iterations, worth_of_factoring(size)) : options.max_iterations;
  }
  add_cost(size, options, scalar_bytes, choice);
  return choice;
}

Index higher_rank(Index points, Index rank, std::size_t scalar_bytes, double memory) {
  const auto room = static_cast<Index>(0.5 * memory / static_cast<double>(scalar_bytes) / static_cast<double>(points));
  return std::min(points, std::clamp(room, rank, 4 * rank));
}

const std::vector<SolverInfo>& solver_table() {
  static const std::vector<SolverInfo> table = {
      {SolverKind::automatic, "auto",
       "cholesky for few points, pcg from a few thousand on (more for many outputs); K in memory where it fits"},
      {SolverKind::cholesky, "cholesky",
       "direct, in place on one triangle: n^2 numbers, n^3/3 flops; residual always measured"},
      {SolverKind::pcg, "pcg",
       "conjugate gradients with a Nystrom preconditioner: 2 n^2 c flops an iteration; K in memory or recomputed"},
      {SolverKind::eigenpro, "eigenpro",
       "preconditioned stochastic iteration in batches, early stopping on validation; K never needs to be stored"},
  };
  return table;
}

}  // namespace ansatz::rfm
