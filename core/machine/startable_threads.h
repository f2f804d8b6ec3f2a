// How many threads the system lets this process start, given its limits on processes (ulimit -u, a control group's
// pids.max) and on memory.
#pragma once

namespace ansatz {

/// The number of threads, the calling one included, that can run now, at most `wanted`. Found by starting and ending
/// them.
int startable_threads(int wanted);

}  // namespace ansatz
