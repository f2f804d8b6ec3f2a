// Where a figure goes, and in which formats.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ansatz::viz {

enum class FigureFormat { png, svg, pdf };

/// ".png"
std::string extension_of(FigureFormat format);

/// The files that a figure is written to: <stem><extension>, one a format.
struct FigureFiles {
  std::filesystem::path stem;
  std::vector<FigureFormat> formats = {FigureFormat::png, FigureFormat::svg};

  /// <stem>.png and <stem>.svg, whatever dots the stem has. Implicit: it is what most figures are.
  FigureFiles(std::filesystem::path without_extension) : stem(std::move(without_extension)) {}
  /// As the user names it: with .png, .svg or .pdf that one file, otherwise a stem. ConfigError for the ending of
  /// another kind of picture, such as .jpg or .eps.
  static FigureFiles named(const std::filesystem::path& name);

  std::filesystem::path path(FigureFormat format) const { return stem.string() + extension_of(format); }
  std::filesystem::path first() const { return path(formats.front()); }
};

}  // namespace ansatz::viz
