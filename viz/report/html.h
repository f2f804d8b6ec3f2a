// The little HTML that reports are made of: escaping, tables, embedded pictures.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ansatz::viz {

std::string escape_html(const std::string& text);

/// A table whose first column is left-aligned text and whose others are numbers; scrolls sideways on a narrow page.
/// Cells are HTML already. `strong_rows`: rows set in bold.
std::string html_table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows,
                       const std::vector<std::size_t>& strong_rows = {});

/// <figure> with the picture of `path_without_extension` embedded (the .svg if there is one, else the .png) and a
/// caption, which is HTML. Empty if there is no such picture.
std::string html_figure(const std::filesystem::path& path_without_extension, const std::string& alternative,
                        const std::string& caption);

/// A whole page with the report's style: light and dark, readable on a phone, no script, nothing loaded.
std::string html_page(const std::string& title, const std::string& body);

}  // namespace ansatz::viz
