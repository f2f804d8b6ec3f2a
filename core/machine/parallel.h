// The process's one thread count, and the loop that uses it. One OpenMP pool serves us, OpenBLAS and LibTorch alike.
#pragma once

#include <functional>
#include <string>

#include "core/base/matrix.h"

namespace ansatz {

/// Sets the threads of OpenMP, OpenBLAS and Eigen, as many as the system grants; 0: of default_threads(). Call once,
/// before any work. (nets::set_threads and viz::set_threads pass it on to LibTorch and OpenCV.)
void set_threads(int threads);
int threads();

/// While it lives, loops and BLAS calls of the calling thread run on `count` threads: 1 for long chains of small
/// products, where starting and joining threads costs more than the work (and far more on a busy machine).
class ThreadScope {
 public:
  explicit ThreadScope(int count);
  ~ThreadScope();
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  int before_;
};

/// Runs body(i) for i in 0..count-1 on all threads, dynamically scheduled. BLAS calls inside run on one thread each.
/// The first exception thrown by a body is rethrown here. Bodies must not depend on order or thread.
void parallel_for(Index count, const std::function<void(Index)>& body);

/// Runs body(begin, end) over consecutive tiles of at most `tile` of 0..count-1.
void parallel_tiles(Index count, Index tile, const std::function<void(Index, Index)>& body);

/// For the manifest: e.g. "OpenBLAS 0.3.21 Zen (OpenMP)".
std::string blas_description();

/// True if OpenBLAS brings its own pthread pool beside OpenMP's: the two spin against each other unless waiting is
/// passive (OMP_WAIT_POLICY=passive, OPENBLAS_THREAD_TIMEOUT small).
bool blas_has_its_own_threads();

}  // namespace ansatz
