// `feature_names` and `top_features` of metrics.json: what input coordinates are called, and which weigh most.
#pragma once

#include "core/files/json_value.h"
#include "core/record/run_record.h"

namespace ansatz {

/// More names than these are left out of metrics.json; features.csv has them all.
inline constexpr std::size_t kMostNames = 10'000;

/// Adds `feature_names`, if the data have any.
void add_feature_names(const DataRecord& data, Json& json);
/// DataError unless there are as many as data.dimension, if any.
void read_feature_names(const JsonValue& json, DataRecord& data);

Json to_json(const FeatureRanking& ranking);
FeatureRanking ranking_from_json(const JsonValue& json);

}  // namespace ansatz
