// What every page of ours carries in its head. Internal to viz/.
#pragma once

namespace ansatz::viz {

/// Light and dark, on a screen of any width and on paper.
extern const char* const kPageStyle;

/// Sorts a table by the column whose head is pressed, and unfolds everything before printing where the browser's own
/// style sheet cannot. The page is complete without it.
extern const char* const kPageScript;

/// The page's Content-Security-Policy: the browser itself sees to it that nothing is loaded, and that no script runs
/// but kPageScript, whatever names or pictures hold. It has that script's SHA-256; tests/browser/report.py says the
/// right one where the script was changed.
extern const char* const kContentPolicy;

}  // namespace ansatz::viz
