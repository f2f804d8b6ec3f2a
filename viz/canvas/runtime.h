// What drawing needs from the machine.
#pragma once

namespace ansatz::viz {

/// Throws what drawing would throw (viz/plots/figures.h) if gnuplot is missing or lacks an output format, or if TMPDIR
/// is not usable. To be called before hours of work that end in a drawing.
void check_drawing();

/// Keeps OpenCV from writing to stderr: our errors say what is wrong.
void silence_libraries();

}  // namespace ansatz::viz
