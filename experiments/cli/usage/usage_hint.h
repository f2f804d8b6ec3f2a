// What may be meant by a command line that cannot be understood.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace ansatz::experiments {

/// Throws ConfigError, suggesting the nearest, if the first of `arguments` (without the program's name) is neither an
/// option nor one of the program's commands.
void require_known_command(const CLI::App& app, const std::vector<std::string>& arguments);

/// A sentence about the first option among `arguments` that its command does not have; else where the usage is shown.
std::string usage_hint(const CLI::App& app, const std::vector<std::string>& arguments);

}  // namespace ansatz::experiments
