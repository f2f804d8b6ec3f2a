// What ended a command, for the person and for the shell.
#pragma once

#include <string>

namespace ansatz::experiments {

struct Failure {
  int exit_code = 0;    ///< docs/outputs.md
  std::string message;  ///< one line
};

/// Of the exception that is being handled (call within a catch block), whatever its type: an ansatz::Error as it says,
/// with `out` and `resume` as --out and --resume; memory that ran out 4; a file system that refuses 2; JSON that is not
/// what it should be 3; anything else 1, a mistake in this program.
Failure current_failure();

}  // namespace ansatz::experiments
