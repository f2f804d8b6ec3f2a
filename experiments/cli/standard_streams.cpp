#include "experiments/cli/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <string>
#include <string_view>

#include "core/base/fold.h"
#include "core/base/printable_text.h"
#include "core/machine/terminal.h"

namespace ansatz::experiments {
namespace {

int first_error = 0;

bool write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      if (first_error == 0) first_error = errno;
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// What stdio hands over for a file or a pipe. It forgets the errno of a write that failed before the last.
ssize_t write_through(void*, const char* data, std::size_t size) {
  return write_all({data, size}) ? static_cast<ssize_t>(size) : 0;
}

/// For a terminal, which must not obey the names in a table, and would break lines that are too long within words.
ssize_t write_printable(void*, const char* data, std::size_t size) {
  constexpr std::size_t kIndent = 4, kAny = static_cast<std::size_t>(-1);
  const std::size_t columns = terminal_columns(STDOUT_FILENO), width = columns > 0 ? columns : kAny;
  std::string_view text(data, size);
  std::string shown;
  for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1))
    for (const std::string& line : folded(printable(text.substr(0, end)), width, kIndent)) shown += line + '\n';
  return write_all(shown + printable(text)) ? static_cast<ssize_t>(size) : 0;
}

/// In the wrong direction, so that what is written to a closed standard output fails as it should.
void open_if_closed(int descriptor) {
  if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) return;
  const int opened = ::open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR);
  if (opened >= 0 && opened != descriptor) {
    ::dup2(opened, descriptor);
    ::close(opened);
  }
}

extern "C" void let_the_write_fail(int) {}

}  // namespace

void open_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) open_if_closed(descriptor);
  struct sigaction action {};
  action.sa_handler = let_the_write_fail;  // not SIG_IGN, which programs that we start would inherit
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGPIPE, &action, nullptr);
  const bool terminal = ::isatty(STDOUT_FILENO) != 0;
  std::FILE* const out =
      ::fopencookie(nullptr, "w", {nullptr, terminal ? write_printable : write_through, nullptr, nullptr});
  if (out == nullptr) return;
  std::setvbuf(out, nullptr, terminal ? _IOLBF : _IOFBF, BUFSIZ);
  stdout = out;
}

int close_standard_output() {
  if (std::fflush(stdout) != 0 && first_error == 0) first_error = errno;
  if (::close(STDOUT_FILENO) != 0 && errno != EINTR && first_error == 0)
    first_error = errno;  // writes put off till now
  return first_error;
}

}  // namespace ansatz::experiments
