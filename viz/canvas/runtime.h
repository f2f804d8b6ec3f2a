// What drawing needs from the machine.
#pragma once

#include <vector>

#include "viz/canvas/figure_files.h"

namespace ansatz::viz {

/// Throws what drawing would throw (viz/plots/figures.h) if gnuplot is missing or lacks one of the formats, or if
/// TMPDIR is not usable. To be called before hours of work that end in a drawing.
void check_drawing(const std::vector<FigureFormat>& formats = {FigureFormat::png, FigureFormat::svg});
/// The same for these files, and OutputError if their folder is not there or cannot be written to.
void check_drawing(const FigureFiles& files);

/// Keeps OpenCV from writing to stderr: our errors say what is wrong.
void silence_libraries();

}  // namespace ansatz::viz
