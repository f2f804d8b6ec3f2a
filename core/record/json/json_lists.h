// Lists in a JSON file, as vectors. DataError, naming file and key, where they hold something else.
#pragma once

#include <string>
#include <vector>

#include "core/files/json_value.h"

namespace ansatz {

std::vector<JsonValue> list_or_none(const JsonValue& object, const char* key);  ///< empty where the key is not there
std::vector<std::string> texts_of(const JsonValue& object, const char* key);    ///< likewise
std::vector<double> numbers_of(const JsonValue& list);                          ///< null is NaN

}  // namespace ansatz
