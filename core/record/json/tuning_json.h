// `tuning` of metrics.json: {model, keys: [{key, values, spacing}], cells: [{values, validation or failure}],
// chosen_cell, chosen: {key: value}}. Values that are numbers are numbers. Seconds are in `timings`.
#pragma once

#include "core/files/json_value.h"
#include "core/record/tuning_record.h"

namespace ansatz {

Json to_json(const TuningRecord& tuning);
TuningRecord tuning_from_json(const JsonValue& json);

/// A list of seconds, one a cell.
Json timing_json(const TuningRecord& tuning);
void add_timing(const JsonValue& json, TuningRecord& tuning);

/// {validation, failure, seconds}: one cell for state/, whose values the config has.
Json state_json(const TuningCell& cell);
TuningCell cell_from_state(std::vector<std::string> values, const JsonValue& json);

}  // namespace ansatz
