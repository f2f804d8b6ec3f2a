// RFM-T: a kernel machine trained again on the coordinates at which an RFM looks (paper, Section 2; Figs 1 and 6).
#pragma once

#include <string>
#include <vector>

#include "experiments/parts.h"

namespace ansatz::experiments {

/// The RFM's own kernel, bandwidth and ridge on some coordinates.
struct ThresholdedRfm {
  std::vector<Index> kept;
  double accuracy = 0;      ///< % on test
  std::vector<bool> right;  ///< of each test row
};

/// `label`: of its state in the run's folder.
ThresholdedRfm retrain_on(std::vector<Index> coordinates, const Part& part, const Models& models,
                          const std::string& label, const RunContext& run);

/// On the coordinates whose entry of `diagonal` exceeds `threshold` (coordinates_above).
ThresholdedRfm threshold_rfm(const Vector<double>& diagonal, double threshold, const Part& part, const Models& models,
                             const RunContext& run);

}  // namespace ansatz::experiments
