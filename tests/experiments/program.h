// Runs the program as a user would, or its code in a child of the test where no difference can be seen, in a folder of
// its own that goes away with the value.
#pragma once

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace ansatz::testing {

struct ProgramResult {
  int exit_code = -1;  ///< 128 + signal if killed
  std::string out, err;
  double seconds = 0;
};

struct ProgramLimits {
  int kill_after_ms = -1;      ///< SIGKILL then; -1: never
  std::string interrupt_when;  ///< a signal once this file (in the folder) is there; empty: never
  int signal = SIGINT;         ///< which one then
  long file_size = -1;         ///< largest file it may write, in bytes (stands for a full disk); -1: no limit
  long address_space = -1;     ///< as `ulimit -v`, in bytes; -1: no limit
  std::vector<std::pair<std::string, std::string>> environment = {};  ///< variables set in addition
  bool own_process = false;  ///< the built program is started, rather than the same code in a child of the test
  std::string out_to = {};   ///< where stdout goes instead: a file, "closed", or "broken pipe"
};

class Workspace {
 public:
  const std::filesystem::path& path() const { return folder_.path(); }
  std::filesystem::path write(const std::string& name, const std::string& text) const;
  /// `ansatz <arguments>` with this folder as working directory.
  ProgramResult run(const std::vector<std::string>& arguments, const ProgramLimits& limits = {}) const;
  std::string read(const std::string& name) const;
  nlohmann::ordered_json metrics(const std::string& run) const;
  /// metrics.json without `timings`.
  nlohmann::ordered_json results(const std::string& run) const;

 private:
  TemporaryFolder folder_;
};

}  // namespace ansatz::testing
