// Other programs, run to their end.
#pragma once

#include <string>
#include <vector>

namespace ansatz::experiments {

struct ChildResult {
  int exit_code = 0;        ///< 127: there is no such program; 128 + signal if killed
  std::string out, errors;  ///< what it wrote to stdout, and to stderr if that was kept
};

/// Runs arguments[0], found by PATH, with stdin closed. `keep_errors` false: its stderr is ours.
ChildResult run_child(const std::vector<std::string>& arguments, bool keep_errors);

}  // namespace ansatz::experiments
