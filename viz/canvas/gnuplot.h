// Running gnuplot. Internal to viz/.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/machine/interrupt.h"

namespace ansatz::viz {

/// A new private folder in the system's temporary folder, removed with all that is in it at the end of its life.
class TemporaryFolder {
 public:
  TemporaryFolder();  ///< OutputError if none can be made
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  /// A file in it, neither synced nor renamed; OutputError if the disk is full.
  void write(const std::string& name, std::string_view bytes) const;

 private:
  InterruptsWait until_removed_;
  std::filesystem::path path_;
};

/// A gnuplot string constant that stands for exactly this text: whatever might mean something to gnuplot (quotes,
/// backslashes, backquotes, braces, $, @, #, ...) is an octal escape, control characters are spaces.
std::string gnuplot_string(const std::string& text);

/// Runs `script` from standard input, no shell, no start-up files; `folder` takes the script and messages. Error with
/// gnuplot's first line of complaint if it fails, and with what to install if it is not there.
void run_gnuplot(const std::string& script, const TemporaryFolder& folder);

}  // namespace ansatz::viz
