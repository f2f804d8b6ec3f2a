// Other programs: run to their end, or beside this one.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

namespace ansatz::experiments {

struct ChildResult {
  int exit_code = 0;        ///< 127: there is no such program; 128 + signal if killed
  std::string out, errors;  ///< what it wrote to stdout, and to stderr if that was kept
};

/// A program that runs beside this one, with stdin closed. The destructor asks it to end (SIGTERM) and waits for it. A
/// process of this program also ends when this one is killed (end_with_parent.h).
class ChildProcess {
 public:
  /// Starts arguments[0], found by PATH. `keep_errors` false: its stderr is ours. `environment`: NAME=value, besides or
  /// instead of what ours has of that name.
  explicit ChildProcess(const std::vector<std::string>& arguments, bool keep_errors = true,
                        const std::vector<std::string>& environment = {});
  ~ChildProcess();
  ChildProcess(ChildProcess&&) noexcept;
  ChildProcess& operator=(ChildProcess&&) noexcept;

  bool ended();        ///< whether it has ended; does not wait
  void ask_to_end();   ///< SIGTERM, if it still runs
  ChildResult wait();  ///< until it ends

 private:
  struct Running;
  std::unique_ptr<Running> running_;
};

/// Runs arguments[0] to its end.
ChildResult run_child(const std::vector<std::string>& arguments, bool keep_errors);

}  // namespace ansatz::experiments
