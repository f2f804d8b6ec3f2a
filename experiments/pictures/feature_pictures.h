// The pictures of a comparison, into images/ (PNG and SVG): what the report shows.
#pragma once

#include <filesystem>

#include "core/record/run_record.h"

namespace ansatz::experiments {

/// Draws
/// - features: diagonal and top-k eigenvectors, network above, RFM below, r under each (Figs 1, 2, 15); image data
/// - channels: the diagonals by colour channel; RGB data
/// - diagonals: the normalised diagonals as bars (Fig. 10b); data without image shape, d <= 64
/// - top_features: the largest entries by name, network beside RFM (feature_labels.h); data without image shape
/// - loadings: the largest entries of the leading eigenvectors by name; likewise
/// - matrices: the feature matrices, or their top-left blocks, as heat maps (Figs 10a, 16b)
/// - spectra: eigenvalues relative to the first
/// - evolution_diagonal.png: the network's diagonal over epochs, animated
/// - training, evolution: curve_pictures.h
void draw_pictures(const RunRecord& record, const std::filesystem::path& images);

}  // namespace ansatz::experiments
