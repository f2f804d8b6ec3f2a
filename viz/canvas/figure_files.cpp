#include "viz/canvas/figure_files.h"

#include <algorithm>
#include <cctype>

#include "core/base/error.h"

namespace ansatz::viz {

namespace {

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

std::string extension_of(FigureFormat format) {
  switch (format) {
    case FigureFormat::png:
      return ".png";
    case FigureFormat::svg:
      return ".svg";
    case FigureFormat::pdf:
      break;
  }
  return ".pdf";
}

FigureFiles FigureFiles::named(const std::filesystem::path& name) {
  FigureFiles files(name);
  const std::string ending = name.extension().string();
  for (const FigureFormat format : {FigureFormat::png, FigureFormat::svg, FigureFormat::pdf}) {
    if (ending != extension_of(format)) continue;
    files.stem.replace_extension();
    files.formats = {format};
    return files;
  }
  for (const char* other :
       {".png", ".svg", ".pdf", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".tif", ".tiff", ".eps", ".ps", ".html"})
    if (lower_case(ending) == other)
      throw ConfigError(name.string() + ": figures are .png, .svg or .pdf; without an ending both .png and .svg");
  return files;
}

}  // namespace ansatz::viz
