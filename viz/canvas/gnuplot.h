// Running gnuplot. Internal to viz/.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/machine/interrupt.h"
#include "viz/canvas/figure_files.h"

namespace ansatz::viz {

/// A new private folder in the system's temporary folder. The destructor removes it with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder();  ///< OutputError if none can be made
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  /// Writes a file in it, without syncing or renaming; OutputError if the disk is full.
  void write(const std::string& name, std::string_view bytes) const;

 private:
  InterruptsWait until_removed_;
  std::filesystem::path path_;
};

/// A gnuplot string constant for exactly this text: characters that might mean something to gnuplot (quotes,
/// backslashes, backquotes, braces, $, @, #, ...) become octal escapes, and control characters become spaces.
std::string gnuplot_string(const std::string& text);

/// The terminal that draws this format: PNG or PDF (viz/canvas/svg.h is our own).
const char* terminal_of(FigureFormat format);

/// Runs `script` from standard input, without a shell and without start-up files. `folder` takes the script and
/// gnuplot's messages. Throws Error with gnuplot's message if it fails, and with what to install if gnuplot is not
/// there.
void run_gnuplot(const std::string& script, const TemporaryFolder& folder);

}  // namespace ansatz::viz
