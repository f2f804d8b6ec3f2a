// How models were fitted, as JSON and back: in metrics.json, and with all seconds in the state of an unfinished run.
// What is read is checked: DataError naming the file and the key.
#pragma once

#include <optional>

#include "core/files/json_value.h"
#include "core/record/epoch_record.h"
#include "core/record/rfm_iteration.h"

namespace ansatz {

Json to_json(
    const Metrics& metrics);  ///< {accuracy (classification only), mse, r2, of several outputs
                              ///< also standardized_mse and r2_by_output}, or cross_entropy for all but accuracy
Metrics metrics_from_json(const JsonValue& json);
std::optional<Metrics> find_metrics(const JsonValue& json, const char* key);
/// {train, validation, test} with absent parts left out.
void add_metrics(const SplitMetrics& metrics, Json& json);
SplitMetrics split_metrics_from_json(const JsonValue& json);

// Seconds are left out of these, since equal runs give equal files; timing_json holds them.
Json to_json(const SolveSummary& solve);
Json to_json(const EpochRecord& epoch);
Json to_json(const RfmIteration& iteration);
SolveSummary solve_from_json(const JsonValue& json);
EpochRecord epoch_from_json(const JsonValue& json);
RfmIteration iteration_from_json(const JsonValue& json);

/// solve_history: [seconds, relative residual, validation mse or null], one an iteration or epoch.
Json timing_json(const SolveSummary& solve);
Json timing_json(const RfmIteration& iteration);
void add_timing(const JsonValue& json, SolveSummary& solve);
void add_timing(const JsonValue& json, RfmIteration& iteration);

/// The whole of it, for state/.
Json state_json(const RfmIteration& iteration);
RfmIteration iteration_from_state(const JsonValue& json);

}  // namespace ansatz
