#include "core/files/json_value.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/files/files.h"

namespace ansatz {
namespace {

constexpr int kDeepest = 64;

/// What stands there, for an error: short, on one line.
std::string shown(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return text;
}

/// "1", "an integer of at least 0", "an integer from 0 to 255".
std::string allowed(Index lowest, Index highest) {
  if (lowest == highest) return std::to_string(lowest);
  const std::string low = std::to_string(lowest);
  return highest == std::numeric_limits<Index>::max() ? "an integer of at least " + low
                                                      : "an integer from " + low + " to " + std::to_string(highest);
}

}  // namespace

JsonValue JsonValue::read(const std::filesystem::path& file) { return parse(read_file(file), file); }

JsonValue JsonValue::parse(const std::string& text, const std::filesystem::path& file) {
  const auto shallow = [&](int depth, Json::parse_event_t event, Json&) {
    const bool opens = event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start;
    if (opens && depth >= kDeepest) throw DataError(file.string() + ": nested too deeply; the file is damaged");
    return true;
  };
  Json value = Json::parse(text, shallow, /*allow_exceptions=*/false);
  if (value.is_discarded()) throw DataError(file.string() + ": not JSON, or cut short; the file is damaged");
  return JsonValue(std::move(value), file);
}

JsonValue::JsonValue(Json value, const std::filesystem::path& file)
    : value_(std::make_shared<const Json>(std::move(value))),
      file_(std::make_shared<const std::string>(file.string())) {}

JsonValue::JsonValue(std::shared_ptr<const Json> value, std::shared_ptr<const std::string> file, std::string key)
    : value_(std::move(value)), file_(std::move(file)), key_(std::move(key)) {}

void JsonValue::fail(const std::string& what) const {
  throw DataError(*file_ + ": " + (key_.empty() ? "the whole" : key_) + " " + what +
                  "; the file is damaged, or of another version of ansatz");
}

JsonValue JsonValue::member(const std::string& key, const Json& value) const {
  return JsonValue(std::shared_ptr<const Json>(value_, &value), file_, key_.empty() ? key : key_ + "." + key);
}

bool JsonValue::has(const std::string& key) const {
  if (!value_->is_object()) fail("must be an object, is " + shown(*value_));
  return value_->contains(key);
}

JsonValue JsonValue::at(const std::string& key) const {
  if (!has(key)) member(key, *value_).fail("is missing");
  return member(key, value_->at(key));
}

std::optional<JsonValue> JsonValue::find(const std::string& key) const {
  if (!has(key)) return std::nullopt;
  return at(key);
}

std::vector<std::pair<std::string, JsonValue>> JsonValue::members() const {
  has("");  // an object?
  std::vector<std::pair<std::string, JsonValue>> result;
  for (const auto& item : value_->items()) result.emplace_back(item.key(), member(item.key(), item.value()));
  return result;
}

std::vector<JsonValue> JsonValue::list() const {
  if (!value_->is_array()) fail("must be a list, is " + shown(*value_));
  std::vector<JsonValue> result;
  for (const Json& item : *value_) result.push_back(member(std::to_string(result.size()), item));
  return result;
}

std::string JsonValue::text() const {
  if (!value_->is_string()) fail("must be text, is " + shown(*value_));
  return value_->get<std::string>();
}

bool JsonValue::truth() const {
  if (!value_->is_boolean()) fail("must be true or false, is " + shown(*value_));
  return value_->get<bool>();
}

bool JsonValue::is_number() const { return value_->is_number(); }

double JsonValue::number() const {
  if (value_->is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (!value_->is_number()) fail("must be a number, is " + shown(*value_));
  return value_->get<double>();
}

Index JsonValue::integer(Index lowest, Index highest) const {
  const bool small = value_->is_number_integer() &&
                     (!value_->is_number_unsigned() ||
                      value_->get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<Index>::max()));
  if (!small || value_->get<Index>() < lowest || value_->get<Index>() > highest)
    fail("must be " + allowed(lowest, highest) + ", is " + shown(*value_));
  return value_->get<Index>();
}

std::string JsonValue::text(const std::string& key, const std::string& fallback) const {
  const std::optional<JsonValue> there = find(key);
  return there ? there->text() : fallback;
}

double JsonValue::number(const std::string& key, double fallback) const {
  const std::optional<JsonValue> there = find(key);
  return there ? there->number() : fallback;
}

}  // namespace ansatz
