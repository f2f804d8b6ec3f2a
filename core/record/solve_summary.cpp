#include "core/record/solve_summary.h"

namespace ansatz {
namespace {

constexpr Termination kAll[] = {Termination::direct,  Termination::converged, Termination::iteration_limit,
                                Termination::stalled, Termination::diverged,  Termination::validation};

}  // namespace

const char* name_of(Termination termination) {
  switch (termination) {
    case Termination::direct:
      return "direct";
    case Termination::converged:
      return "converged";
    case Termination::iteration_limit:
      return "iteration_limit";
    case Termination::stalled:
      return "stalled";
    case Termination::diverged:
      return "diverged";
    case Termination::validation:
      break;
  }
  return "validation";
}

std::optional<Termination> termination_named(std::string_view name) {
  for (const Termination termination : kAll)
    if (name == name_of(termination)) return termination;
  return std::nullopt;
}

}  // namespace ansatz
