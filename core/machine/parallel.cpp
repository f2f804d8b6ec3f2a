#include "core/machine/parallel.h"

#include <omp.h>

#include <algorithm>
#include <exception>
#include <mutex>

#include "core/machine/blas_kernels.h"
#include "core/machine/startable_threads.h"
#include "core/machine/thread_count.h"

extern "C" {  // OpenBLAS's own entry points; its header would shadow cblas.h
void openblas_set_num_threads(int);
char* openblas_get_config(void);
char* openblas_get_corename(void);
int openblas_get_parallel(void);  // 0 sequential, 1 pthreads, 2 OpenMP
}

namespace ansatz {
namespace {

[[maybe_unused]] const bool kBlasIsReady = (choose_blas_kernels(), true);  // before main(), as OpenBLAS's own choice

/// How many threads OpenMP gives if `wanted` are asked for; OMP_THREAD_LIMIT and OMP_DYNAMIC make it fewer. OpenBLAS
/// must not ask for more: it would hand out work to threads that do not exist and wait for ever.
int granted_threads(int wanted) {
  int granted = 1;
  omp_set_num_threads(wanted);
#pragma omp parallel
#pragma omp single
  granted = omp_get_num_threads();
  return granted;
}

}  // namespace

void set_threads(int threads) {
  omp_set_max_active_levels(1);
  const int wanted = threads > 0 ? threads : default_threads().count;
  const int granted = granted_threads(startable_threads(wanted));  // OpenMP ends the program if one cannot start
  omp_set_dynamic(0);                                              // every region gets what was granted once
  omp_set_num_threads(granted);
  // OpenBLAS's OpenMP build follows OpenMP by itself. If it were given a number, it might use as many threads inside
  // parallel loops too, and wait there for ever.
  if (blas_has_its_own_threads()) openblas_set_num_threads(granted);
}

int threads() { return omp_get_max_threads(); }

ThreadScope::ThreadScope(int count) : before_(threads()) {
  omp_set_num_threads(count);  // OpenBLAS's OpenMP build follows this, per calling thread; its pthread pool does not
  if (blas_has_its_own_threads()) openblas_set_num_threads(count);
}

ThreadScope::~ThreadScope() {
  omp_set_num_threads(before_);
  if (blas_has_its_own_threads()) openblas_set_num_threads(before_);
}

void parallel_for(Index count, const std::function<void(Index)>& body) {
  std::exception_ptr failure;
  std::mutex guard;
#pragma omp parallel for schedule(dynamic, 1) if (count > 1)
  for (Index i = 0; i < count; ++i) {
    try {
      body(i);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(guard);
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

void parallel_tiles(Index count, Index tile, const std::function<void(Index, Index)>& body) {
  const Index tiles = (count + tile - 1) / tile;
  parallel_for(tiles, [&](Index t) { body(t * tile, std::min(count, (t + 1) * tile)); });
}

std::string blas_description() {
  const int kind = openblas_get_parallel();
  const char* pool = kind == 2 ? "OpenMP" : kind == 1 ? "pthreads" : "sequential";
  return std::string(openblas_get_config()) + ", core " + openblas_get_corename() + ", " + pool;
}

bool blas_has_its_own_threads() { return openblas_get_parallel() == 1; }

}  // namespace ansatz
