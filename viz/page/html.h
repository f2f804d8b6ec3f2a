// The little HTML that reports are made of: escaping, tables, the page.
#pragma once

#include <string>
#include <vector>

namespace ansatz::viz {

std::string escape_html(const std::string& text);

/// A table whose first column is left-aligned text and whose others are numbers, or words where a cell is long; scrolls
/// sideways on a narrow page, and can be sorted. Cells are HTML already. `strong_rows`: rows set in bold.
std::string html_table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows,
                       const std::vector<std::size_t>& strong_rows = {});

/// Folded up on a screen, open on paper. `title` and `inner` are HTML.
std::string details(const std::string& title, const std::string& inner);

/// A whole page with the report's style: light and dark, readable on a phone and on paper, nothing loaded.
std::string html_page(const std::string& title, const std::string& body);

}  // namespace ansatz::viz
