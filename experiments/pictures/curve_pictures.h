// What changes over epochs and iterations, as curves.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/stages/comparison_stage.h"

namespace ansatz::experiments {

/// The network's loss and scores over epochs, the RFM's over iterations with the fixed kernels as levels (Fig. 3c).
/// Either may be empty; nothing is drawn if both are.
void draw_training(const std::vector<nets::EpochRecord>& epochs, const std::vector<rfm::RfmIteration>& iterations,
                   const std::vector<KernelMachineResult>& kernels, const std::string& y_label,
                   const std::filesystem::path& file);

/// The residual and the validation error of every iterative solve against seconds; nothing is drawn without one.
void draw_solver_progress(const std::vector<rfm::RfmIteration>& iterations,
                          const std::vector<KernelMachineResult>& kernels, const std::filesystem::path& file);

/// Likeness of the network's diagonal to the RFM's, to its initial value and to the truth, over epochs.
void draw_evolution(const FeatureEvolution& evolution, const std::filesystem::path& file);

}  // namespace ansatz::experiments
