#include "core/record/json/repeats_json.h"

#include <nlohmann/json.hpp>

#include "core/files/json_lists.h"
#include "core/record/json/config_json.h"
#include "core/record/json/findings_json.h"
#include "core/record/json/ranking_json.h"
#include "core/record/json/run_record_json.h"

namespace ansatz {

Json to_json(const RepeatsRecord& record) {
  Json json = {{"schema", 1},
               {"repeats", record.seeds.size()},
               {"seeds", record.seeds},
               {"experiment", record.experiment},
               {"conventions", to_json(record.conventions)}};
  if (record.config) json["config"] = to_json(*record.config);
  if (record.data) {
    json["data"] = to_json(*record.data);
    add_feature_names(*record.data, json);
  }
  for (const auto& [key, spread] : record.summary)
    json["summary"][key] = {{"mean", spread.mean}, {"sd", spread.sd}, {"values", spread.values}};
  if (record.findings) json["findings"] = to_json(*record.findings);
  return json;
}

RepeatsRecord repeats_from_json(const JsonValue& json) {
  RepeatsRecord record;
  record.experiment = json.at("experiment").text();
  record.conventions = texts_from_json(json.at("conventions"));
  if (json.has("config")) record.config = config_from_json(json.at("config"));
  for (const JsonValue& seed : json.at("seeds").list()) record.seeds.push_back(seed_from_json(seed));
  const auto count = static_cast<Index>(record.seeds.size());
  if (count < 1) json.at("seeds").fail("must hold a seed");
  json.at("repeats").integer(count, count);
  if (const std::optional<JsonValue> data = json.find("data")) {
    record.data = data_from_json(*data);
    read_feature_names(json, *record.data);
  }
  if (const std::optional<JsonValue> summary = json.find("summary"))
    for (const auto& [key, spread] : summary->members())
      record.summary.emplace_back(
          key, Spread{spread.at("mean").number(), spread.at("sd").number(), numbers_of(spread.at("values"))});
  if (const std::optional<JsonValue> findings = json.find("findings")) record.findings = findings_from_json(*findings);
  return record;
}

bool is_of_repeats(const JsonValue& metrics) { return metrics.has("repeats"); }

}  // namespace ansatz
