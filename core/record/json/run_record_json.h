// metrics.json, schema 1 (docs/outputs.md): a run's record as JSON and back. What is read is checked: DataError naming
// the file and the key.
#pragma once

#include "core/files/json_value.h"
#include "core/record/run_record.h"

namespace ansatz {

/// Equal runs give equal text but for `timings`.
Json to_json(const RunRecord& record);
/// All that metrics.json holds: no feature matrices and no snapshots of the network.
RunRecord record_from_json(const JsonValue& json);

Json to_json(const DataRecord& data);
DataRecord data_from_json(const JsonValue& json);
Json to_json(const NamedTexts& texts);
NamedTexts texts_from_json(const JsonValue& json);
Json figures_json(const std::vector<Figure>& figures);
std::vector<Figure> figures_from_json(const JsonValue& metrics);  ///< its `figures`; none where there are none
std::uint64_t seed_from_json(const JsonValue& json);

}  // namespace ansatz
