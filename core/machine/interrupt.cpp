#include "core/machine/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

#include "core/base/error.h"

namespace ansatz {
namespace {

constexpr int kInterrupted = 130;  // exit code
std::atomic<bool> signalled{false}, caught{false};
std::atomic<int> waiting{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler may touch lock-free atomics only");

[[noreturn]] void end() {
  constexpr char kLine[] = "ansatz: interrupted\n";
  [[maybe_unused]] const ssize_t lost = ::write(STDERR_FILENO, kLine, sizeof kLine - 1);
  ::_exit(kInterrupted);
}

extern "C" void on_signal(int signal) {
  if (signalled.exchange(true) && signal == SIGINT) ::_exit(kInterrupted);
  if (!caught && waiting == 0) end();
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

// Signals to end: batch systems send SIGUSR1 or SIGUSR2 some time before a job's end (if asked to) and SIGTERM at it; a
// closed terminal sends SIGHUP, and `ulimit -t` SIGXCPU. Several may come; only a second Ctrl-C ends the process at
// once. A file larger than `ulimit -f` makes the write fail (SIGXFSZ) and does not end the process. SIGQUIT is left
// alone.
void handle_all() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU}) handle(signal, on_signal);
  handle(SIGXFSZ, let_the_call_fail);
}

}  // namespace

void end_when_interrupted() { handle_all(); }

void catch_interrupts() {
  caught = true;
  handle_all();
}

bool interrupted() { return signalled; }

void throw_if_interrupted() {
  if (interrupted()) throw Interrupted("interrupted; go on with `resume`");
}

InterruptsWait::InterruptsWait() { ++waiting; }

InterruptsWait::~InterruptsWait() {
  if (--waiting == 0 && signalled && !caught) end();
}

}  // namespace ansatz
