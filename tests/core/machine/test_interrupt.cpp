#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <iterator>
#include <ostream>
#include <string>

#include "core/base/error.h"
#include "core/files/files.h"
#include "core/machine/interrupt.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

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

TEST_CASE("before there is anything to go on with a signal ends the process") {
  const TemporaryFolder folder;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU}) {
    const int code = exit_code_of([&] {
      ::dup2(::open((folder / "said").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
      end_when_interrupted();
      std::raise(signal);
      return 1;
    });
    CHECK(code == 130);
    CHECK(read_bytes(folder / "said") == "ansatz: interrupted\n");
  }
  const int later = exit_code_of([] {
    end_when_interrupted();
    catch_interrupts();
    std::raise(SIGTERM);
    return interrupted() ? 7 : 1;
  });
  CHECK(later == 7);
}

TEST_CASE("a file that is being written when a signal ends the process is written, and nothing else is left") {
  const TemporaryFolder folder;
  const int code = exit_code_of([&] {
    ::close(STDERR_FILENO);
    end_when_interrupted();
    write_file_atomically(folder / "whole", [](std::ostream& out) {
      out << "one, ";
      std::raise(SIGTERM);
      std::raise(SIGHUP);
      out << "two";
    });
    return 1;
  });
  CHECK(code == 130);
  CHECK(read_bytes(folder / "whole") == "one, two");
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("a signal raises the flag and the next check throws") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU}) {
    const int code = exit_code_of([&] {
      catch_interrupts();
      throw_if_interrupted();
      if (interrupted()) return 1;
      std::raise(signal);
      if (!interrupted()) return 2;
      try {
        throw_if_interrupted();
      } catch (const Interrupted& e) {
        return std::string(e.what()) == "interrupted; go on with `resume`" ? e.exit_code() : 3;
      }
      return 4;
    });
    CHECK(code == 130);
  }
}

TEST_CASE("Ctrl-C pressed again ends the process at once") {
  for (const int first : {SIGINT, SIGTERM}) {
    const int code = exit_code_of([&] {
      catch_interrupts();
      std::raise(first);
      std::raise(SIGINT);
      return 1;
    });
    CHECK(code == 130);
  }
}

TEST_CASE("a signal sent twice, or another behind it, leaves the time to save") {
  const int code = exit_code_of([] {
    catch_interrupts();
    for (const int signal : {SIGHUP, SIGHUP, SIGTERM, SIGTERM, SIGUSR1, SIGXCPU, SIGXCPU}) std::raise(signal);
    return interrupted() ? 7 : 1;
  });
  CHECK(code == 7);
}

TEST_CASE("what nohup ignores stays ignored") {
  const int code = exit_code_of([] {
    std::signal(SIGHUP, SIG_IGN);
    catch_interrupts();
    std::raise(SIGHUP);
    return interrupted() ? 1 : 7;
  });
  CHECK(code == 7);
}

TEST_CASE("a file larger than allowed is a write that fails") {
  const TemporaryFolder folder;
  const int code = exit_code_of([&] {
    catch_interrupts();
    const rlimit limit{1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      write_file_atomically(folder / "large", std::string(5000, 'x'));
    } catch (const OutputError& e) {
      return std::string(e.what()).find("large") != std::string::npos ? e.exit_code() : 3;
    }
    return 4;
  });
  CHECK(code == 2);
  CHECK(std::filesystem::is_empty(folder.path()));
}
