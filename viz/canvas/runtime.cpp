#include "viz/canvas/runtime.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <opencv2/core.hpp>
#include <opencv2/core/utils/logger.hpp>

#include "core/base/error.h"
#include "core/machine/interrupt.h"
#include "viz/canvas/gnuplot.h"

namespace ansatz::viz {

void check_drawing(const std::vector<FigureFormat>& formats) {
  const TemporaryFolder folder;
  std::string script;
  for (const FigureFormat format : formats)
    if (format != FigureFormat::svg) script += std::string("set terminal ") + terminal_of(format) + "\n";
  if (!script.empty()) run_gnuplot(script, folder);
}

void check_drawing(const FigureFiles& files) {
  const std::filesystem::path folder =
      files.stem.has_parent_path() ? files.stem.parent_path() : std::filesystem::path(".");
  const InterruptsWait until_removed;
  std::string probe = (folder / ".ansatz-XXXXXX").string();
  const int file = ::mkstemp(probe.data());
  if (file < 0) throw OutputError("cannot write " + files.first().string() + ": " + std::strerror(errno));
  ::close(file);
  ::unlink(probe.c_str());
  check_drawing(files.formats);
}

void silence_libraries() {
  cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
  cv::redirectError([](int, const char*, const char*, const char*, int, void*) { return 0; });
}

}  // namespace ansatz::viz
