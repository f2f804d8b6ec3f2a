// metrics.json (docs/outputs.md, schema 1): how results become JSON, and back where a resumed run needs them (DataError
// naming the file and the key where it does not hold them).
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "core/data/metrics.h"
#include "core/features/ansatz_variants.h"
#include "core/features/comparison.h"
#include "core/run/run_directory.h"
#include "nets/training/trainer.h"
#include "rfm/rfm.h"

namespace ansatz::experiments {

Json to_json(const Metrics& metrics);  ///< {accuracy (classification only), mse, r2}
Metrics metrics_from_json(const JsonValue& json);
Json to_json(const FeatureComparison& comparison, const std::string& a, const std::string& b);
Json to_json(const AnsatzVariant& variant);

/// Seconds are left out, as below.
Json to_json(const rfm::SolveSummary& solve);
rfm::SolveSummary solve_from_json(const JsonValue& json);
/// The seconds; solve_history: [seconds, relative residual, validation mse or null], one an iteration or epoch.
Json timing_json(const rfm::SolveSummary& solve);
void add_timing(const JsonValue& json, rfm::SolveSummary& solve);

/// One entry of per_epoch / per_iteration. Seconds are left out: they go to `timings`, so that equal runs give equal
/// files.
Json to_json(const nets::EpochRecord& record);
Json to_json(const rfm::RfmIteration& iteration);
Json timing_json(const rfm::RfmIteration& iteration);

/// The whole record, seconds included, for state/.
Json state_json(const rfm::RfmIteration& iteration);
rfm::RfmIteration iteration_from_state(const JsonValue& json);

/// {train, validation, test} with absent parts left out.
Json split_json(const Metrics& train, const std::optional<Metrics>& validation, const std::optional<Metrics>& test);

/// The conventions of docs/engine.md as sentences, the same in every metrics.json.
Json conventions();

}  // namespace ansatz::experiments
