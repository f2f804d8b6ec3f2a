// What several runs that differ in their seed only found together: metrics.json of a run with `repeats`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/record/run_record.h"
#include "core/statistics/spread.h"

namespace ansatz {

struct RepeatsRecord {
  std::string experiment;
  NamedTexts conventions;
  std::optional<ConfigValue> config;  ///< resolved, of all runs together; none: written by an earlier version
  std::vector<std::uint64_t> seeds;   ///< one a run
  std::optional<DataRecord> data;     ///< of the last run
  /// "models.rfm.test.accuracy", "comparisons.<a>~<b>.diagonal_pearson", "findings.<name>"
  std::vector<std::pair<std::string, Spread>> summary;
  std::optional<FindingsRecord> findings;  ///< with mean, sd and standard error, judged by these
};

/// What a reader is to know before any number of these runs; of several each behind its seed.
std::vector<std::string> warnings_of(const std::vector<RunRecord>& seeds);

}  // namespace ansatz
