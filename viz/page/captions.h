// What the pictures of a comparison show, in words. Internal to viz/.
#pragma once

#include <string>
#include <vector>

#include "core/record/run_record.h"

namespace ansatz::viz {

/// A picture of images/, and what it says in this run.
struct DescribedPicture {
  std::string file;         ///< without extension
  std::string alternative;  ///< plain text, for those who do not see it
  std::string caption;      ///< HTML
};

std::vector<DescribedPicture> feature_pictures(const RunRecord& record);   ///< what the models look at
std::vector<DescribedPicture> training_pictures(const RunRecord& record);  ///< how they got there

}  // namespace ansatz::viz
