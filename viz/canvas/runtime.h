// What drawing needs of the machine it runs on.
#pragma once

namespace ansatz::viz {

/// Throws what drawing would throw where gnuplot is missing or lacks an output format, or TMPDIR is not usable
/// (viz/plots/figures.h). For those who work for hours before they draw.
void check_drawing();

/// OpenCV writes nothing of its own to stderr: what is wrong, errors say.
void silence_libraries();

}  // namespace ansatz::viz
