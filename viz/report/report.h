// report.html: one self-contained page from what a run directory holds. Rebuilt at any time by `ansatz report`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ansatz::viz {

/// Reads metrics.json, manifest.json, config.yaml and images/ of each run and writes one page: headline table
/// (accuracies, R^2, correlations with the initial-weights baseline beside), figures with captions, every convention
/// used, the configuration, the environment; of a run of several seeds (repeats) their means and every repeat. Images
/// are embedded (SVG inline, PNG as data URI); no network needed, and no script but to sort tables; readable at a
/// phone's width, light and dark, and on paper. One run: <run>/report.html by default; several: side by side in `out`,
/// which they must name (ConfigError). Throws DataError if a folder is no finished run, and what drawing throws
/// (viz/plots/figures.h), since the curves of several are drawn.
std::filesystem::path write_report(const std::vector<std::filesystem::path>& runs,
                                   const std::filesystem::path& out = {});

}  // namespace ansatz::viz
