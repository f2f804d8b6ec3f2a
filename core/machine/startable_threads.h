// How many threads the system lets this process start: limits on processes (ulimit -u, a control group's pids.max) and
// on memory deny the rest.
#pragma once

namespace ansatz {

/// The calling thread and those that can be started beside it now, at most `wanted` in all. Starts and ends them.
int startable_threads(int wanted);

}  // namespace ansatz
