// What changes over epochs and iterations, as curves.
#pragma once

#include <filesystem>

#include "core/record/run_record.h"

namespace ansatz::experiments {

/// The network's loss and scores over epochs, the RFM's over iterations with the fixed kernels as levels (Fig. 3c).
/// Nothing is drawn where there is neither.
void draw_training(const RunRecord& record, const std::filesystem::path& file);

/// The residual and the validation error of every iterative solve against seconds; nothing is drawn without one.
void draw_solver_progress(const RunRecord& record, const std::filesystem::path& file);

/// Likeness of the network's diagonal to the RFM's, to its initial value and to the truth, over epochs.
void draw_evolution(const FeatureEvolution& evolution, const std::filesystem::path& file);

}  // namespace ansatz::experiments
