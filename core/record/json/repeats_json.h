// metrics.json of a run with `repeats`, schema 1 (docs/outputs.md), there and back.
#pragma once

#include "core/files/json_value.h"
#include "core/record/repeats_record.h"

namespace ansatz {

Json to_json(const RepeatsRecord& record);
RepeatsRecord repeats_from_json(const JsonValue& json);  ///< DataError naming the file and the key
bool is_of_repeats(const JsonValue& metrics);            ///< rather than of one run

}  // namespace ansatz
