#include "viz/canvas/svg.h"

#include <fmt/format.h>
#include <zlib.h>

namespace ansatz::viz {
namespace {

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  std::string out;
  std::size_t begin = 0;
  for (std::size_t at; (at = text.find(from, begin)) != std::string::npos; begin = at + from.size())
    out.append(text, begin, at - begin).append(to);
  text = out.append(text, begin, std::string::npos);
}

void remove_elements(std::string& text, const std::string& name) {
  const std::string open = "<" + name + ">", close = "</" + name + ">";
  std::string out;
  std::size_t begin = 0;
  for (std::size_t at; (at = text.find(open, begin)) != std::string::npos;) {
    const std::size_t end = text.find(close, at);
    if (end == std::string::npos) break;
    out.append(text, begin, at - begin);
    begin = end + close.size();
  }
  text = out.append(text, begin, std::string::npos);
}

}  // namespace

std::string finished_svg(std::string svg) {
  const uLong hash = crc32(0, reinterpret_cast<const Bytef*>(svg.data()), static_cast<uInt>(svg.size()));
  const std::string unique = fmt::format("f{:08x}-", hash);
  remove_elements(svg, "title");
  remove_elements(svg, "desc");
  for (const std::string id : {"gp", "gnuplot", "textbox", "greybox"}) {
    replace_all(svg, "id='" + id, "id='" + unique + id);
    replace_all(svg, "id=\"" + id, "id=\"" + unique + id);
    replace_all(svg, "xlink:href='#" + id, "xlink:href='#" + unique + id);
    replace_all(svg, "url(#" + id, "url(#" + unique + id);
  }
  const std::string family = "font-family=\"" + std::string(kFontName);
  const std::string families = family + ", Verdana, Helvetica, Arial, sans-serif\"";
  replace_all(svg, family + kBoldSuffix + "\"", families + " font-weight=\"bold\"");
  replace_all(svg, family + "\"", families);
  replace_all(svg, "<image ", "<image style='image-rendering:pixelated' ");
  return svg;
}

}  // namespace ansatz::viz
