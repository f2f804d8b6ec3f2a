#include "experiments/stages/selection.h"

namespace ansatz::experiments {

std::optional<std::size_t> best_on_validation(const std::vector<std::optional<Metrics>>& results) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (results[i] && (!best || !at_least_as_good(*results[*best], *results[i]))) best = i;
  return best;
}

}  // namespace ansatz::experiments
