// How much memory this process may still use, and large pieces of it.
#pragma once

#include <string>

#include "core/base/matrix.h"

namespace ansatz {

/// Bytes: free memory of the machine, cut by control groups and `ulimit -v`; infinity where nothing says.
double available_memory();

/// Throws MemoryError unless so many bytes are free: "`what` needs 12.3 GB of memory, 4.5 GB are free".
void require_memory(double bytes, const std::string& what);

/// rows x columns, not initialised, on huge pages where the system lends them: touching a gigabyte of small pages for
/// the first time takes as long as some tenth of a second's products. What n x n results are made with.
/// Throws std::bad_alloc.
template <class Scalar>
Matrix<Scalar> large_matrix(Index rows, Index columns);

}  // namespace ansatz
