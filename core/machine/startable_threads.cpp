#include "core/machine/startable_threads.h"

#include <future>
#include <system_error>
#include <thread>
#include <vector>

namespace ansatz {

int startable_threads(int wanted) {
  std::promise<void> all_started;
  const std::shared_future<void> gate = all_started.get_future().share();
  std::vector<std::thread> others;
  try {
    while (static_cast<int>(others.size()) + 1 < wanted) others.emplace_back([gate] { gate.wait(); });
  } catch (const std::system_error&) {
  }
  all_started.set_value();
  for (std::thread& other : others) other.join();
  return static_cast<int>(others.size()) + 1;
}

}  // namespace ansatz
