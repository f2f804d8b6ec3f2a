#include "core/record/json/findings_json.h"

#include <nlohmann/json.hpp>

namespace ansatz {
namespace {

void add_optional(const char* key, const std::optional<double>& value, Json& json) {
  if (value) json[key] = *value;
}

Json to_json(const JudgedFinding& finding) {
  Json json = {{"name", finding.name}, {"meaning", finding.meaning}, {"value", finding.value}};
  if (!finding.unit.empty()) json["unit"] = finding.unit;
  add_optional("paper", finding.paper, json);
  if (!finding.source.empty()) json["source"] = finding.source;
  add_optional("at_least", finding.at_least, json);
  add_optional("at_most", finding.at_most, json);
  if (finding.holds) json["holds"] = *finding.holds;
  add_optional("sd", finding.sd, json);
  return json;
}

JudgedFinding finding_from_json(const JsonValue& json) {
  const auto optional = [&](const char* key) -> std::optional<double> {
    if (!json.has(key)) return std::nullopt;
    return json.at(key).number();
  };
  JudgedFinding finding;
  finding.name = json.at("name").text();
  finding.meaning = json.at("meaning").text();
  finding.value = json.at("value").number();
  finding.unit = json.text("unit", "");
  finding.paper = optional("paper");
  finding.source = json.text("source", "");
  finding.at_least = optional("at_least");
  finding.at_most = optional("at_most");
  if (json.has("holds")) finding.holds = json.at("holds").truth();
  finding.sd = optional("sd");
  return finding;
}

}  // namespace

Json to_json(const FindingsRecord& findings) {
  Json json = Json::object();
  if (!findings.differs.empty()) json["differs"] = findings.differs;
  json["list"] = Json::array();
  for (const JudgedFinding& finding : findings.list) json["list"].push_back(to_json(finding));
  return json;
}

FindingsRecord findings_from_json(const JsonValue& json) {
  FindingsRecord findings;
  findings.differs = json.text("differs", "");
  for (const JsonValue& finding : json.at("list").list()) findings.list.push_back(finding_from_json(finding));
  return findings;
}

}  // namespace ansatz
