// Command lines that --help shows as examples.
#pragma once

#include <string>
#include <vector>

namespace ansatz::experiments {

/// At least two for each command that --help names, as one types them: "ansatz run configs/quickstart.yaml". Empty for
/// an unknown command.
const std::vector<std::string>& examples_of(const std::string& command);

/// What stands below the options in a command's --help.
std::string examples_text(const std::string& command);

}  // namespace ansatz::experiments
