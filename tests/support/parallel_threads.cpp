// Stands in for core/machine/parallel.cpp where the thread sanitizer is on: the same loops on std::thread, which it
// knows. Of OpenMP's runtime, which is not compiled with it, it would see neither forks nor joins, and report every
// loop. OpenBLAS runs on one thread.
#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/machine/parallel.h"

extern "C" {
void openblas_set_num_threads(int);
char* openblas_get_config(void);
}

namespace ansatz {
namespace {

std::atomic<int> thread_count{4};
thread_local bool inside_loop = false;

}  // namespace

void set_threads(int threads) {
  openblas_set_num_threads(1);
  thread_count = threads > 0 ? threads : 4;
}

int threads() { return thread_count; }

ThreadScope::ThreadScope(int count) : before_(threads()) { thread_count = count; }
ThreadScope::~ThreadScope() { thread_count = before_; }

void parallel_for(Index count, const std::function<void(Index)>& body) {
  std::exception_ptr failure;
  std::mutex guard;
  const Index team = inside_loop ? 1 : std::clamp<Index>(threads(), 1, std::max<Index>(1, count));
  // Every team-th index: so every thread has work, however short the loop.
  const auto work = [&](Index first) {
    const bool nested = std::exchange(inside_loop, true);
    for (Index i = first; i < count; i += team) {
      try {
        body(i);
      } catch (...) {
        const std::lock_guard<std::mutex> lock(guard);
        if (!failure) failure = std::current_exception();
      }
    }
    inside_loop = nested;
  };
  std::vector<std::thread> others;
  for (Index t = 1; t < team; ++t) others.emplace_back(work, t);
  work(0);
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
}

void parallel_tiles(Index count, Index tile, const std::function<void(Index, Index)>& body) {
  const Index tiles = (count + tile - 1) / tile;
  parallel_for(tiles, [&](Index t) { body(t * tile, std::min(count, (t + 1) * tile)); });
}

std::string blas_description() { return std::string(openblas_get_config()) + ", one thread"; }

bool blas_has_its_own_threads() { return false; }

}  // namespace ansatz
