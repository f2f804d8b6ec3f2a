#include "core/record/json/findings_json.h"

#include <nlohmann/json.hpp>

namespace ansatz {
namespace {

void add_optional(const char* key, const std::optional<double>& value, Json& json) {
  if (value) json[key] = *value;
}

void add_bound(const char* key, const Bound& bound, Json& json) {
  if (!bound.given()) return;
  json[key] = Json::object();
  add_optional("at_least", bound.at_least, json[key]);
  add_optional("at_most", bound.at_most, json[key]);
}

std::optional<double> optional_number(const JsonValue& json, const char* key) {
  if (!json.has(key)) return std::nullopt;
  return json.at(key).number();
}

Bound bound_from_json(const JsonValue& json, const char* key) {
  if (!json.has(key)) return {};
  return {optional_number(json.at(key), "at_least"), optional_number(json.at(key), "at_most")};
}

std::optional<Verdict> verdict_from_json(const JsonValue& json, const char* key) {
  for (const Verdict verdict : {Verdict::holds, Verdict::differs, Verdict::unclear})
    if (json.text(key, "") == name_of(verdict)) return verdict;
  return std::nullopt;
}

Json to_json(const JudgedFinding& finding) {
  Json json = {{"name", finding.name}, {"meaning", finding.meaning}, {"value", finding.value}};
  if (!finding.unit.empty()) json["unit"] = finding.unit;
  add_optional("standard_error", finding.standard_error, json);
  add_optional("sd", finding.sd, json);
  add_optional("paper", finding.paper, json);
  if (!finding.source.empty()) json["source"] = finding.source;
  add_bound("bound", finding.bound, json);
  if (finding.verdict) json["verdict"] = name_of(*finding.verdict);
  add_bound("bound_at_this_size", finding.at_this_size, json);
  if (finding.verdict_at_this_size) json["verdict_at_this_size"] = name_of(*finding.verdict_at_this_size);
  return json;
}

JudgedFinding finding_from_json(const JsonValue& json) {
  JudgedFinding finding;
  finding.name = json.at("name").text();
  finding.meaning = json.at("meaning").text();
  finding.value = json.at("value").number();
  finding.unit = json.text("unit", "");
  finding.standard_error = optional_number(json, "standard_error");
  finding.sd = optional_number(json, "sd");
  finding.paper = optional_number(json, "paper");
  finding.source = json.text("source", "");
  finding.bound = bound_from_json(json, "bound");
  finding.verdict = verdict_from_json(json, "verdict");
  finding.at_this_size = bound_from_json(json, "bound_at_this_size");
  finding.verdict_at_this_size = verdict_from_json(json, "verdict_at_this_size");
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
