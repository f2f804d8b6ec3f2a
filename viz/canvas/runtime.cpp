#include "viz/canvas/runtime.h"

#include <opencv2/core.hpp>
#include <opencv2/core/utils/logger.hpp>

#include "viz/canvas/gnuplot.h"

namespace ansatz::viz {

void check_drawing(const std::vector<FigureFormat>& formats) {
  const TemporaryFolder folder;
  std::string script;
  for (const FigureFormat format : formats) script += std::string("set terminal ") + terminal_of(format) + "\n";
  run_gnuplot(script, folder);
}

void silence_libraries() {
  cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
  cv::redirectError([](int, const char*, const char*, const char*, int, void*) { return 0; });
}

}  // namespace ansatz::viz
