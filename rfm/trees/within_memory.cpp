#include "rfm/trees/within_memory.h"

#include <algorithm>

#include "core/machine/memory.h"
#include "core/machine/parallel.h"

namespace ansatz::rfm {
namespace {

constexpr double kShareOfFree = 0.8;

}  // namespace

void parallel_within_memory(Index count, double bytes, const std::function<void(Index)>& body) {
  if (count <= 1) {
    for (Index i = 0; i < count; ++i) body(i);
    return;
  }
  const double room = kShareOfFree * available_memory() / std::max(1.0, bytes);
  const ThreadScope scope(static_cast<int>(std::clamp(room, 1.0, static_cast<double>(threads()))));
  parallel_for(count, body);
}

}  // namespace ansatz::rfm
