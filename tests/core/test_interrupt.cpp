#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "core/error.h"
#include "core/interrupt.h"
#include "tests/support/catch.h"

using namespace ansatz;

namespace {

/// Runs `body` in a process of its own (the flag stays up for good) and returns its exit code.
template <class Body>
int exit_code_of(Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(30);  // a hang is a failure
    ::_exit(body());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace

TEST_CASE("a signal raises the flag and the next check throws") {
  for (const int signal : {SIGINT, SIGTERM}) {
    const int code = exit_code_of([&] {
      catch_interrupts();
      throw_if_interrupted();
      if (interrupted()) return 1;
      std::raise(signal);
      if (!interrupted()) return 2;
      try {
        throw_if_interrupted();
      } catch (const Interrupted& e) {
        return std::string(e.what()) == "interrupted; go on with --resume" ? e.exit_code() : 3;
      }
      return 4;
    });
    CHECK(code == 130);
  }
}

TEST_CASE("a second signal ends the process at once") {
  const int code = exit_code_of([] {
    catch_interrupts();
    std::raise(SIGINT);
    std::raise(SIGTERM);
    return 1;
  });
  CHECK(code == 130);
}
