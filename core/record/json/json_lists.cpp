#include "core/record/json/json_lists.h"

namespace ansatz {

std::vector<JsonValue> list_or_none(const JsonValue& object, const char* key) {
  const std::optional<JsonValue> list = object.find(key);
  return list ? list->list() : std::vector<JsonValue>();
}

std::vector<std::string> texts_of(const JsonValue& object, const char* key) {
  std::vector<std::string> texts;
  for (const JsonValue& text : list_or_none(object, key)) texts.push_back(text.text());
  return texts;
}

std::vector<double> numbers_of(const JsonValue& list) {
  std::vector<double> numbers;
  for (const JsonValue& number : list.list()) numbers.push_back(number.number());
  return numbers;
}

}  // namespace ansatz
