// Stands in for core/machine/parallel.cpp: loops on one thread, without OpenMP and OpenBLAS.
#include "core/machine/parallel.h"

#include <algorithm>

namespace ansatz {

int threads() { return 1; }

void parallel_for(Index count, const std::function<void(Index)>& body) {
  for (Index i = 0; i < count; ++i) body(i);
}

void parallel_tiles(Index count, Index tile, const std::function<void(Index, Index)>& body) {
  for (Index begin = 0; begin < count; begin += tile) body(begin, std::min(count, begin + tile));
}

}  // namespace ansatz
