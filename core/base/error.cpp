#include "core/base/error.h"

namespace ansatz {
namespace {

bool is_name(std::string_view text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_.") == std::string_view::npos;
}

}  // namespace

void Error::rename_options(const std::function<std::string(std::string_view name)>& rename) {
  const std::string_view before = what();
  std::string after;
  std::size_t at = 0;
  while (at < before.size()) {
    const std::size_t end = before[at] == '`' ? before.find('`', at + 1) : std::string_view::npos;
    const std::string_view name = end == std::string_view::npos ? "" : before.substr(at + 1, end - at - 1);
    if (is_name(name)) {
      after += rename(name);
      at = end + 1;
    } else {
      after += before[at++];
    }
  }
  std::runtime_error::operator=(std::runtime_error(after));
}

}  // namespace ansatz
