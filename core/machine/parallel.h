// The process's one thread count, and the loop that uses it. One OpenMP pool serves us, OpenBLAS and LibTorch alike.
#pragma once

#include <functional>
#include <string>

#include "core/base/matrix.h"

namespace ansatz {

/// Sets the number of threads of OpenMP, OpenBLAS and Eigen, or fewer if the system does not grant that many. 0 means
/// default_threads(). Call once, before any work. (nets::set_threads and viz::set_threads pass it on to LibTorch and
/// OpenCV.)
void set_threads(int threads);
int threads();

/// As long as the object exists, loops and BLAS calls of the calling thread run on `count` threads. Use 1 for long
/// chains of small products, where starting and joining threads costs more than the work (far more on a busy machine).
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
/// The first exception that body() throws is rethrown here. body() must not depend on the order or on the thread.
void parallel_for(Index count, const std::function<void(Index)>& body);

/// Runs body(begin, end) over consecutive tiles of at most `tile` of 0..count-1.
void parallel_tiles(Index count, Index tile, const std::function<void(Index, Index)>& body);

/// For the manifest: e.g. "OpenBLAS 0.3.21 Zen (OpenMP)".
std::string blas_description();

/// True if OpenBLAS has a pthread pool of its own beside OpenMP's. The two pools then compete for the cores by busy
/// waiting, unless waiting is made passive (OMP_WAIT_POLICY=passive, a small OPENBLAS_THREAD_TIMEOUT).
bool blas_has_its_own_threads();

}  // namespace ansatz
