#include "core/machine/threads_worth.h"

#include <algorithm>

namespace ansatz {

int threads_worth(double operations, int available) {
  constexpr double kOperationsPerThread = 8e6;
  return static_cast<int>(std::min(std::max(1.0, operations / kOperationsPerThread), static_cast<double>(available)));
}

}  // namespace ansatz
