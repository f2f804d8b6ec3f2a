// LibTorch as a whole: its threads, its version, its exceptions.
#include <ATen/Parallel.h>
#include <torch/version.h>

#include <mutex>

#include "core/base/error.h"
#include "core/machine/parallel.h"
#include "core/machine/startable_threads.h"
#include "nets/mlp.h"
#include "nets/tensors.h"

namespace ansatz::nets {

void set_threads(int threads) {
  const int count = threads > 0 ? threads : ansatz::threads();
  // LibTorch keeps a thread pool beside OpenMP's. If a thread of that pool cannot be started, it waits for ever.
  if (const int started = startable_threads(count + 1); started <= count)
    throw ConfigError("LibTorch needs " + std::to_string(count) + " threads more and the system lets only " +
                      std::to_string(started - 1) + " start; use fewer threads, or raise ulimit -u or pids.max");
  detail::at_border("setting the threads of LibTorch", [&] {
    at::set_num_threads(count);
    static std::once_flag once;  // a second call is an error in LibTorch
    std::call_once(once, [] { at::set_num_interop_threads(1); });
  });
}

bool cuda_available() { return at::hasCUDA(); }

std::string torch_description() {
  return std::string("LibTorch ") + TORCH_VERSION + (cuda_available() ? " (CUDA)" : " (CPU)");
}

namespace detail {

at::Device torch_device(Device device) {
  if (device == Device::cpu) return at::kCPU;
  if (!cuda_available())
    throw ConfigError("device: cuda asked for, but " + torch_description() + " sees no CUDA device; use device: cpu");
  return at::Device(at::kCUDA, 0);
}

void rethrow(const std::string& doing, const c10::Error& error) {
  std::string message = error.what_without_backtrace();
  message = doing + ": LibTorch: " + message.substr(0, message.find('\n'));
  const bool out_of_memory = dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr ||
                             message.find("you tried to allocate") != std::string::npos ||
                             message.find("out of memory") != std::string::npos;
  if (out_of_memory) throw MemoryError(message + "; use a smaller batch, narrower layers or device: cpu");
  throw NumericalError(message);
}

}  // namespace detail
}  // namespace ansatz::nets
