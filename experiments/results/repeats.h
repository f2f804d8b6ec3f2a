// Mean and standard deviation over runs that differ in their seed only.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/run/run_directory.h"

namespace ansatz::experiments {

/// metrics.json of a repeated run: {schema, experiment, repeats, conventions, seeds, summary:
/// {"models.rfm.test.accuracy": {mean, sd, values}, "comparisons.<a>~<b>.diagonal_pearson": ...}}. sd is the sample one
/// (n-1). Of an experiment with findings also these, with mean and sd for value (NaN if a run has none), judged by the
/// mean. Reads <run>/metrics.json; DataError naming what is damaged.
Json summarize_repeats(const std::vector<std::filesystem::path>& runs);

/// "models.rfm.test.accuracy   0.853 ± 0.004" for test metrics and diagonal/top-vector likeness.
std::string repeats_table(const Json& summary);

}  // namespace ansatz::experiments
