// How much memory this process may still use.
#pragma once

namespace ansatz {

/// Bytes: free memory of the machine, cut by control groups and `ulimit -v`; infinity where nothing says.
double available_memory();

}  // namespace ansatz
