// What spurious_features keeps of a task, and draws.
#pragma once

#include <vector>

#include "experiments/paper/faces/pasting.h"
#include "experiments/parts.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {

struct SpuriousDigest {
  ImageShape shape;
  Vector<double> network, rfm;                        ///< diagonals
  std::vector<Pasting> pastings;                      ///< as pastings_of gives them
  std::vector<std::vector<viz::PanelCell>> examples;  ///< all but the random region, a row each; template first
  std::vector<Finding> findings;
};

/// Both diagonals, the mask, the compared region and a random one, a task a row.
Figure draw_masks(const std::vector<Part>& parts, const std::vector<SpuriousDigest>& digests, const RunContext& run);
/// Test images before and after. They show data.
Figure draw_examples(const std::vector<Part>& parts, const std::vector<SpuriousDigest>& digests, const RunContext& run);
/// Test accuracies by what is pasted, means over the templates.
Figure draw_accuracies(const std::vector<Part>& parts, const std::vector<SpuriousDigest>& digests,
                       const RunContext& run);

}  // namespace ansatz::experiments
