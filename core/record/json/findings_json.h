// `findings` of metrics.json: {"differs": ..., "list": [{name, meaning, value, unit, paper, source, at_least, at_most,
// holds, sd}]}, absent parts left out.
#pragma once

#include "core/files/json_value.h"
#include "core/record/findings/findings_record.h"

namespace ansatz {

Json to_json(const FindingsRecord& findings);
FindingsRecord findings_from_json(const JsonValue& json);

}  // namespace ansatz
