#include "viz/page/html.h"

#include <algorithm>

#include "viz/page/figure.h"
#include "viz/page/page_style.h"

namespace ansatz::viz {
namespace {

/// How many characters of a cell are seen.
std::size_t seen_characters(const std::string& html) {
  std::size_t count = 0;
  bool within_tag = false;
  for (const char c : html) {
    within_tag = within_tag ? c != '>' : c == '<';
    const bool goes_on = (static_cast<unsigned char>(c) & 0xC0u) == 0x80u;  // within a character of UTF-8
    if (!within_tag && c != '>' && !goes_on) ++count;
  }
  return count;
}

/// Whether a column holds sentences or formulas, which may break, rather than numbers.
bool holds_words(std::size_t column, const std::vector<std::vector<std::string>>& rows) {
  constexpr std::size_t kLongestNumber = 26;
  return std::any_of(rows.begin(), rows.end(), [&](const std::vector<std::string>& row) {
    return column < row.size() && seen_characters(row[column]) > kLongestNumber;
  });
}

std::string row_html(const std::vector<std::string>& cells, const std::vector<bool>& words, const std::string& tag) {
  std::string html;
  for (std::size_t i = 0; i < cells.size(); ++i)
    html += "<" + tag + (i < words.size() && words[i] ? " class=\"words\"" : "") + ">" + cells[i] + "</" + tag + ">";
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
  std::vector<bool> words;
  for (std::size_t i = 0; i < header.size(); ++i) words.push_back(i > 0 && holds_words(i, rows));
  std::string html =
      "<div class=\"scroll\"><table><thead><tr>" + row_html(header, words, "th") + "</tr></thead><tbody>\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool strong = std::find(strong_rows.begin(), strong_rows.end(), i) != strong_rows.end();
    html += (strong ? "<tr class=\"strong\">" : "<tr>") + row_html(rows[i], words, "td") + "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string details(const std::string& title, const std::string& inner) {
  return "<details><summary>" + title + "</summary>\n" + inner + "</details>\n";
}

std::string html_page(const std::string& title, const std::string& body) {
  return std::string("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n") +
         "<meta http-equiv=\"Content-Security-Policy\" content=\"" + kContentPolicy + "\">\n" +
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" + escape_html(title) +
         "</title>\n<style>" + kPageStyle + dark_figure_style() + "</style></head>\n<body><main>\n" + body +
         "</main>\n<script>" + kPageScript + "</script></body></html>\n";
}

}  // namespace ansatz::viz
