#include "experiments/options/option_names.h"

namespace ansatz::experiments {
namespace {

bool on_command_line(std::string_view name) { return name == "out" || name == "resume"; }

std::string unchanged(std::string_view name) { return "`" + std::string(name) + "`"; }

}  // namespace

void name_on_command_line(Error& error) {
  error.rename_options(
      [](std::string_view name) { return on_command_line(name) ? "--" + std::string(name) : unchanged(name); });
}

void name_in_section(const std::string& section, Error& error) {
  error.rename_options([&](std::string_view name) {
    return on_command_line(name) ? unchanged(name) : section + "." + std::string(name);
  });
}

void name_option(const std::string& option, const std::string& name, Error& error) {
  if (name.empty()) return;
  error.rename_options([&](std::string_view found) { return found == option ? name : unchanged(found); });
}

}  // namespace ansatz::experiments
