// How much memory this process may still use, and how large matrices are allocated.
#pragma once

#include <string>

#include "core/base/matrix.h"

namespace ansatz {

/// The bytes that this process may still use: the machine's free memory, or less where control groups, `ulimit -v` or
/// `ulimit -d` allow less (see memory_room.h). Infinity if the system says nothing.
double available_memory();

/// Throws MemoryError unless that many bytes are available: "`what` needs 12.30 GB of memory, 4.50 GB are free".
void require_memory(double bytes, const std::string& what);

/// An uninitialised matrix, on huge pages where the system offers them. Use it for n x n results: the first touch of a
/// gigabyte of small pages costs about a tenth of a second. Throws std::bad_alloc.
template <class Scalar>
Matrix<Scalar> large_matrix(Index rows, Index columns);

}  // namespace ansatz
