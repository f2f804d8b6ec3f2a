#include "core/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

#include "core/error.h"

namespace ansatz {
namespace {

std::atomic<bool> signalled{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch lock-free atomics only");

extern "C" void on_signal(int) {
  if (signalled.exchange(true)) ::_exit(130);
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // reads and writes in progress are not to fail
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return signalled; }

void throw_if_interrupted() {
  if (interrupted()) throw Interrupted("interrupted; go on with --resume");
}

}  // namespace ansatz
