// `config` of metrics.json: the resolved config, its values typed.
#pragma once

#include "core/files/json_value.h"
#include "core/record/run_record.h"

namespace ansatz {

Json to_json(const ConfigValue& config);
ConfigValue config_from_json(const JsonValue& json);  ///< DataError naming the file and the key

}  // namespace ansatz
