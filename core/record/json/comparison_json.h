// `headline`, `comparisons`, `ansatz_variants`, `ansatz_variants_by_layer` and `evolution` of metrics.json: how alike
// features are.
#pragma once

#include <string>

#include "core/files/json_value.h"
#include "core/record/run_record.h"

namespace ansatz {

/// Adds these keys to metrics.json.
void add_comparisons(const RunRecord& record, Json& json);
void read_comparisons(const JsonValue& json, RunRecord& record);

FeatureId feature_from_json(const JsonValue& name);  ///< DataError if no run has a matrix of that name
Json to_json(const FeatureComparison& comparison, const std::string& a, const std::string& b);
Json to_json(const AnsatzVariant& variant);
AnsatzVariant variant_from_json(const JsonValue& json);
Json to_json(const LayerVariants& layers);  ///< a list of variants for each layer
LayerVariants layers_from_json(const JsonValue& json);

}  // namespace ansatz
