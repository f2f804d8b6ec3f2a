#include "core/machine/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace ansatz {

std::size_t terminal_columns(int descriptor) {
  constexpr std::size_t kUsual = 80;
  const char* const kind = std::getenv("TERM");
  if (::isatty(descriptor) == 0 || (kind != nullptr && std::string_view(kind) == "dumb")) return 0;
  winsize size{};
  const bool known = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : kUsual;
}

}  // namespace ansatz
