// Tasks in parallel, as many at once as there is memory for.
#pragma once

#include <functional>

#include "core/base/matrix.h"

namespace ansatz::rfm {

/// Calls body(i) for i in 0..count-1, each on one thread, on as many threads as memory has room for at `bytes` a task,
/// but at least one. A single task may use all threads inside.
void parallel_within_memory(Index count, double bytes, const std::function<void(Index)>& body);

}  // namespace ansatz::rfm
