#include "core/config/config_value.h"

#include <charconv>
#include <optional>

#include "core/config/config_impl.h"

namespace ansatz {
namespace {

using detail::ConfigNode;

/// The whole of the text as a number of that kind.
template <class Number>
std::optional<Number> number_in(const std::string& text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return number;
}

ConfigValue scalar_value(const ConfigNode& node) {
  if (!node.quoted) {
    if (node.text == "true" || node.text == "false") return {node.text == "true"};
    if (const std::optional<Index> integer = number_in<Index>(node.text)) return {*integer};
    if (const std::optional<double> number = number_in<double>(node.text)) return {*number};
  }
  return {node.text};
}

ConfigValue value_of(const ConfigNode& node) {
  if (node.kind == ConfigNode::Kind::scalar) return scalar_value(node);
  if (node.kind == ConfigNode::Kind::list) {
    ConfigValue::List list;
    for (const ConfigNode& item : node.items) list.push_back(value_of(item));
    return {std::move(list)};
  }
  ConfigValue::Mapping mapping;
  for (const detail::ConfigEntry& entry : node.entries)
    if (entry.value.kind != ConfigNode::Kind::null) mapping.emplace_back(entry.key, value_of(entry.value));
  return {std::move(mapping)};
}

/// Of a value that is no mapping, and of a list without mappings.
std::string text_of(const ConfigValue& config) {
  const auto& value = config.value;
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  if (const auto* integer = std::get_if<Index>(&value)) return std::to_string(*integer);
  if (const auto* number = std::get_if<double>(&value)) return detail::yaml_number(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  std::string list;
  if (const auto* items = std::get_if<ConfigValue::List>(&value))
    for (const ConfigValue& item : *items) list += (list.empty() ? "" : ", ") + text_of(item);
  return "[" + list + "]";
}

bool holds_mapping(const ConfigValue::List& list) {
  for (const ConfigValue& item : list)
    if (std::holds_alternative<ConfigValue::Mapping>(item.value)) return true;
  return false;
}

void add_settings(const std::string& path, const ConfigValue& config, Settings& settings) {
  const auto below = [&](const std::string& key) { return path.empty() ? key : path + "." + key; };
  const auto* list = std::get_if<ConfigValue::List>(&config.value);
  if (const auto* mapping = std::get_if<ConfigValue::Mapping>(&config.value)) {
    for (const auto& [key, value] : *mapping) add_settings(below(key), value, settings);
  } else if (list != nullptr && holds_mapping(*list)) {
    for (std::size_t i = 0; i < list->size(); ++i) add_settings(below(std::to_string(i)), (*list)[i], settings);
  } else {
    settings.emplace_back(path, text_of(config));
  }
}

}  // namespace

ConfigValue config_values(const std::string& resolved_yaml, const std::string& source) {
  return value_of(detail::parse_config(resolved_yaml, source, {}));
}

Settings settings_of(const ConfigValue& config) {
  Settings settings;
  add_settings("", config, settings);
  return settings;
}

}  // namespace ansatz
