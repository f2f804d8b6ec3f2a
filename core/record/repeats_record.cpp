#include "core/record/repeats_record.h"

namespace ansatz {

std::vector<std::string> warnings_of(const std::vector<RunRecord>& seeds) {
  std::vector<std::string> warnings;
  for (const RunRecord& run : seeds)
    for (const std::string& warning : run.warnings)
      warnings.push_back((seeds.size() > 1 ? "seed " + std::to_string(run.seed) + ": " : "") + warning);
  return warnings;
}

}  // namespace ansatz
