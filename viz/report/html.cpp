#include "viz/report/html.h"

#include <algorithm>
#include <cstdint>

#include "core/files/files.h"

namespace ansatz::viz {
namespace {

const char* const kStyle = R"css(
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --line: #d8dee4; --paper: #ffffff; --card: #f6f8fa; --accent: #0b62a8; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ec; --soft: #9aa4ae; --line: #363d45; --paper: #15181c; --card: #1d2126; --accent: #6cb6f5; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 68rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .6rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); }
p { margin: .6rem 0; max-width: 46rem; }
.soft { color: var(--soft); }
.headline { font-size: 1.1rem; background: var(--card); border-left: 4px solid var(--accent); padding: .8rem 1rem; margin: 1.2rem 0; max-width: none; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; margin: .6rem 0; }
th, td { padding: .35rem .8rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th { color: var(--soft); font-weight: 600; }
th:first-child, td:first-child { text-align: left; padding-left: 0; white-space: normal; }
tr.strong td { font-weight: 700; }
figure { margin: 1rem 0 1.6rem; }
figure img { display: block; max-width: 100%; height: auto; background: #ffffff; border-radius: 4px; }
figcaption { color: var(--soft); font-size: .9rem; margin-top: .45rem; max-width: 46rem; }
.wide { overflow-x: auto; }
pre { background: var(--card); padding: .8rem 1rem; overflow-x: auto; font-size: .84rem; line-height: 1.45; border-radius: 4px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; font-size: .92rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } h1 { font-size: 1.4rem; } th, td { padding: .3rem .4rem; } table { font-size: .82rem; } }
.runs { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 1rem; }
details > summary { cursor: pointer; color: var(--accent); margin: .4rem 0; }
@media print { details > * { display: block; } main { max-width: none; } }
)css";

std::string base64(const std::string& bytes) {
  static const char* const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      group = group << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    }
    for (int j = 3; j >= 0; --j) {
      const bool padding = i + static_cast<std::size_t>(3 - j) > bytes.size();
      text += padding ? '=' : digits[group >> (6 * j) & 63u];
    }
  }
  return text;
}

std::string row_html(const std::vector<std::string>& cells, const char* tag) {
  std::string html;
  for (const std::string& cell : cells) html += std::string("<") + tag + ">" + cell + "</" + tag + ">";
  return html;
}

}  // namespace

std::string escape_html(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string html_table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows,
                       const std::vector<std::size_t>& strong_rows) {
  std::string html = "<div class=\"scroll\"><table><thead><tr>" + row_html(header, "th") + "</tr></thead><tbody>\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool strong = std::find(strong_rows.begin(), strong_rows.end(), i) != strong_rows.end();
    html += (strong ? "<tr class=\"strong\">" : "<tr>") + row_html(rows[i], "td") + "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string html_figure(const std::filesystem::path& path_without_extension, const std::string& alternative,
                        const std::string& caption) {
  constexpr std::uintmax_t kLargeSvg = 1000000;  // a drawing of many pixels: the PNG serves as well
  for (const auto& [extension, type] : {std::pair(".svg", "image/svg+xml"), std::pair(".png", "image/png")}) {
    const std::filesystem::path file = path_without_extension.string() + extension;
    if (!std::filesystem::exists(file)) continue;
    if (std::string(extension) == ".svg" && std::filesystem::file_size(file) > kLargeSvg) continue;
    return "<figure><div class=\"wide\"><img alt=\"" + escape_html(alternative) + "\" src=\"data:" + type + ";base64," +
           base64(read_file(file)) + "\"></div><figcaption>" + caption + "</figcaption></figure>\n";
  }
  return "";
}

std::string html_page(const std::string& title, const std::string& body) {
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
         "content=\"width=device-width, initial-scale=1\">\n<title>" +
         escape_html(title) + "</title>\n<style>" + kStyle + "</style></head>\n<body><main>\n" + body +
         "</main></body></html>\n";
}

}  // namespace ansatz::viz
