// What a reader is to know of values chosen on validation rows before trusting them.
#pragma once

#include <string>
#include <vector>

#include "core/record/tuning_record.h"

namespace ansatz {

/// A sentence each: settings as good as the chosen one, which is the first of them; settings that failed. Empty where
/// there is nothing to say. (core/record/headline.h: tuning_edges.)
std::vector<std::string> tuning_remarks(const TuningRecord& tuning);

}  // namespace ansatz
