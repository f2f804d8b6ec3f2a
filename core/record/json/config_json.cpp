#include "core/record/json/config_json.h"

#include <limits>
#include <nlohmann/json.hpp>

namespace ansatz {
namespace {

Json json_of(const ConfigValue::Mapping& mapping) {
  Json json = Json::object();
  for (const auto& [key, value] : mapping) json[key] = to_json(value);
  return json;
}

Json json_of(const ConfigValue::List& list) {
  Json json = Json::array();
  for (const ConfigValue& item : list) json.push_back(to_json(item));
  return json;
}

template <class Plain>
Json json_of(const Plain& value) {
  return value;
}

}  // namespace

Json to_json(const ConfigValue& config) {
  return std::visit([](const auto& value) { return json_of(value); }, config.value);
}

ConfigValue config_from_json(const JsonValue& json) {
  const Json& value = json.json();
  if (value.is_boolean()) return {json.truth()};
  if (value.is_number_integer())
    return {json.integer(std::numeric_limits<Index>::min(), std::numeric_limits<Index>::max())};
  if (value.is_number()) return {json.number()};
  if (value.is_string()) return {json.text()};
  if (value.is_array()) {
    ConfigValue::List list;
    for (const JsonValue& item : json.list()) list.push_back(config_from_json(item));
    return {std::move(list)};
  }
  ConfigValue::Mapping mapping;
  for (const auto& [key, member] : json.members()) mapping.emplace_back(key, config_from_json(member));
  return {std::move(mapping)};
}

}  // namespace ansatz
