// `models` and `timings` of metrics.json: what each model came to, and the seconds it took.
#pragma once

#include "core/files/json_value.h"
#include "core/record/run_record.h"

namespace ansatz {

Json models_json(const RunRecord& record);
void read_models(const JsonValue& models, RunRecord& record);
Json timings_json(const RunRecord& record);
/// Into the models that are there.
void read_timings(const JsonValue& timings, RunRecord& record);

/// The whole of it but the label, seconds included, for state/.
Json state_json(const KernelMachineRecord& machine);
KernelMachineRecord machine_from_state(const std::string& label, const JsonValue& json);
Json to_json(const Seen& seen);
Seen seen_from_json(const JsonValue& json);

}  // namespace ansatz
