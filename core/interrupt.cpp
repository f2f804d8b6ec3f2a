#include "core/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

#include "core/error.h"

namespace ansatz {
namespace {

std::atomic<bool> signalled{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch lock-free atomics only");

extern "C" void on_signal(int signal) {
  if (signalled.exchange(true) && signal == SIGINT) ::_exit(130);
}

extern "C" void let_the_call_fail(int) {}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) return;  // nohup, background jobs
  action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // reads and writes in progress are not to fail
  sigaction(signal, &action, nullptr);
}

}  // namespace

// Batch systems send SIGUSR1 or SIGUSR2 ahead of the end (as told) and SIGTERM at it, a closed terminal SIGHUP, and
// `ulimit -t` SIGXCPU. They may send several; only Ctrl-C pressed again ends the process at once. A file beyond
// `ulimit -f` is a write that fails, not the end of the process. SIGQUIT still ends it as it stands.
void catch_interrupts() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU}) handle(signal, on_signal);
  handle(SIGXFSZ, let_the_call_fail);
}

bool interrupted() { return signalled; }

void throw_if_interrupted() {
  if (interrupted()) throw Interrupted("interrupted; go on with --resume");
}

}  // namespace ansatz
