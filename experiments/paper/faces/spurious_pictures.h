// What spurious_features keeps of a task, and draws.
#pragma once

#include <string>
#include <vector>

#include "experiments/parts.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {

/// How a model fares on the test images, in percent.
struct Scores {
  double accuracy = 0;
  double recall = 0;  ///< of the images with the attribute: how many the model says have it; NaN where there are none
};

/// One change of the test images, and how both models fare.
struct Pasting {
  std::string name;           ///< "untouched", "mask", "compared", "random"
  std::string label;          ///< for pictures: "as they are", "mask", "lips", "random"
  std::vector<Index> pixels;  ///< those of the template that are pasted
  Scores network, rfm;
};

struct SpuriousDigest {
  ImageShape shape;
  Vector<double> network, rfm;                        ///< diagonals
  std::vector<Pasting> pastings;                      ///< untouched, mask, compared, random
  std::vector<std::vector<viz::PanelCell>> examples;  ///< untouched, mask and compared, a row each; template first
  std::vector<Finding> findings;
};

/// Both diagonals, the mask and the compared region, a task a row.
Figure draw_masks(const std::vector<Part>& parts, const std::vector<SpuriousDigest>& digests, const RunContext& run);
/// Test images before and after. They show data.
Figure draw_examples(const std::vector<Part>& parts, const std::vector<SpuriousDigest>& digests, const RunContext& run);
/// Test accuracies by what is pasted.
Figure draw_accuracies(const std::vector<Part>& parts, const std::vector<SpuriousDigest>& digests,
                       const RunContext& run);

}  // namespace ansatz::experiments
