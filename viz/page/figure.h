// Figures in a page. Internal to viz/.
#pragma once

#include <filesystem>
#include <string>

namespace ansatz::viz {

/// <figure> with the picture of `path_without_extension` embedded (the .svg if there is one of moderate size, else the
/// .png), what it shows in words for those who do not see it, and a caption, which is HTML. At its own size it scrolls
/// sideways on a narrow page; on paper it shrinks to fit. Empty if there is no such picture.
std::string html_figure(const std::filesystem::path& path_without_extension, const std::string& alternative,
                        const std::string& caption);

/// The style that gives drawings their colours on a dark page (viz/canvas/colors.h has those on white).
std::string dark_figure_style();

}  // namespace ansatz::viz
