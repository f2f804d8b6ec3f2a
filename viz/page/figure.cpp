#include "viz/page/figure.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "core/base/base64.h"
#include "core/base/error.h"
#include "core/files/files.h"
#include "viz/canvas/colors.h"
#include "viz/canvas/svg.h"
#include "viz/images/feature_image.h"
#include "viz/page/html.h"

namespace ansatz::viz {
namespace {

constexpr std::size_t kLargeSvg = 1000000;  ///< a drawing of many pixels: the PNG serves as well

/// Each colour of a drawing on white, and in its place on a dark page. Text there has a contrast of at least 4.5.
constexpr std::pair<const char*, const char*> kDarkColors[] = {
    {kInk, "#e6e9ec"},
    {kMuted, "#a9b2bb"},
    {kGridLine, "#31373e"},
    {kFrame, "#6b747d"},
    {kPaper, "#15181c"},
    {kSeriesColors[0], "#3f9fe0"},
    {kSeriesColors[1], "#ee7f36"},
    {kSeriesColors[2], "#25b98b"},
    {kSeriesColors[3], "#dd95bd"},
    {kSeriesColors[4], "#e9ab2b"},
    {kSeriesColors[5], "#8fd0f7"},
    {kSeriesColors[6], "#f2f4f5"},
};

/// The width that a drawing of ours states, in CSS pixels.
double width_of(const std::string& svg) {
  const std::string key = " width=\"";
  const std::size_t at = svg.find(key);
  return at == std::string::npos ? 0 : std::strtod(svg.c_str() + at + key.size(), nullptr);
}

/// A drawing of ours as a part of the page: what it says of itself for a file of its own is left out.
std::string inline_svg(const std::string& svg, const std::string& alternative) {
  const std::size_t size = svg.find("width=\"");
  return fmt::format("{}role=\"img\" aria-label=\"{}\" {}", kSvgStart, escape_html(alternative), svg.substr(size));
}

std::string image(const std::string& type, const std::string& bytes, const std::string& alternative,
                  const char* style_class = "") {
  const std::string attribute = *style_class == 0 ? "" : fmt::format("class=\"{}\" ", style_class);
  return fmt::format("<img {}alt=\"{}\" src=\"data:image/{};base64,{}\">", attribute, escape_html(alternative), type,
                     base64(bytes));
}

/// A PNG; of one that moves the still as well, for paper and for readers who want nothing to move.
std::string png_image(const std::filesystem::path& file, const std::string& alternative) {
  const std::string bytes = read_file(file);
  std::string still;
  try {
    still = still_of(bytes);
  } catch (const DataError& e) {
    throw DataError(file.string() + ": " + e.what() + "; delete it, and the report is without it");
  }
  if (still.empty()) return image("png", bytes, alternative);
  return image("png", bytes, alternative, "moving") + image("png", still, alternative, "still");
}

}  // namespace

std::string html_figure(const std::filesystem::path& path_without_extension, const std::string& alternative,
                        const std::string& caption) {
  const std::filesystem::path svg_file = path_without_extension.string() + ".svg",
                              png_file = path_without_extension.string() + ".png";
  const std::string svg = std::filesystem::exists(svg_file) ? read_file(svg_file) : "";
  const bool has_png = std::filesystem::exists(png_file), is_ours = svg.rfind(kSvgStart, 0) == 0;
  if (svg.empty() && !has_png) return "";
  std::string picture;
  if (!svg.empty() && (svg.size() <= kLargeSvg || !has_png))
    picture = is_ours ? inline_svg(svg, alternative) : image("svg+xml", svg, alternative);
  else if (is_ours)
    picture = image("png", read_file(png_file), alternative, "drawn");
  else
    picture = png_image(png_file, alternative);
  const std::string width = is_ours ? fmt::format(" style=\"--width:{:.0f}px\"", width_of(svg)) : "";
  return "<figure><div class=\"wide\"" + width + ">" + picture + "</div><figcaption>" + caption +
         "</figcaption></figure>\n";
}

std::string dark_figure_style() {
  std::string style = "@media screen and (prefers-color-scheme: dark) {\n";
  for (const auto& [light, dark] : kDarkColors)
    for (const char* const paint : {"fill", "stroke"})
      style += fmt::format(".drawing [{0}=\"{1}\"] {{ {0}: {2}; }}\n", paint, light, dark);
  return style + "}\n";
}

}  // namespace ansatz::viz
