// What section spurious_features says.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiments/paper/faces/pasted_images.h"
#include "experiments/paper/image_regions.h"
#include "experiments/parts.h"

namespace ansatz::experiments {

/// What stands in spurious_features.<part>.
struct SpuriousTask {
  std::string label;  ///< of the compared region: "lips"
  std::vector<Region> excluded, compared;
  std::vector<Region> narrow;  ///< a second region to compare with; may be none
};

struct SpuriousOptions {
  MaskOptions mask;
  TemplateOptions templates;
  std::map<std::string, SpuriousTask> tasks;  ///< by the parts' names
};

/// ConfigError where a region is missing or empty, or where network, RFM or normalisation do not allow pasting.
SpuriousOptions parse_spurious(const Config& root, const Config& own, const std::vector<Part>& parts);

}  // namespace ansatz::experiments
