// What can go wrong, as types. Each carries the exit code of the command line (README).
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ansatz {

/// Base of every error meant for a person. The message is one line: what, where, how to mend it. It names options as
/// the library has them, in backquotes (`ridge`, `optimizer.learning_rate`): a program puts them as its user writes
/// them.
class Error : public std::runtime_error {
 public:
  Error(const std::string& message, int exit_code) : std::runtime_error(message), exit_code_(exit_code) {}
  int exit_code() const { return exit_code_; }

  /// Puts what `rename` returns in the place of each name in backquotes, backquotes included: letters a to z,
  /// underscores and dots. Other text in backquotes stays. The error keeps its type: catch it by reference, rename,
  /// throw it on.
  void rename_options(const std::function<std::string(std::string_view name)>& rename);

 private:
  int exit_code_;
};

/// Bad command line or configuration: exit 2.
struct ConfigError : Error {
  explicit ConfigError(const std::string& message) : Error(message, 2) {}
};

/// The place to write to cannot be used (exists, read-only, disk full): exit 2.
struct OutputError : Error {
  explicit OutputError(const std::string& message) : Error(message, 2) {}
};

/// Data missing, damaged, or of shapes that do not fit together: exit 3.
struct DataError : Error {
  explicit DataError(const std::string& message) : Error(message, 3) {}
};

/// Would not fit in memory: exit 4.
struct MemoryError : Error {
  explicit MemoryError(const std::string& message) : Error(message, 4) {}
};

/// Not finite, not positive definite beyond every remedy, no convergence: exit 5.
struct NumericalError : Error {
  explicit NumericalError(const std::string& message) : Error(message, 5) {}
};

/// A signal to end (core/machine/interrupt.h); the state has been saved: exit 130.
struct Interrupted : Error {
  explicit Interrupted(const std::string& message) : Error(message, 130) {}
};

}  // namespace ansatz
