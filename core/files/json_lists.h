// Lists in a JSON file, as vectors. DataError, naming file and key, where they hold something else.
#pragma once

#include <string>
#include <vector>

#include "core/files/json_value.h"

namespace ansatz {

std::vector<JsonValue> list_or_none(const JsonValue& object, const char* key);  ///< empty where the key is not there
std::vector<std::string> texts_of(const JsonValue& object, const char* key);    ///< likewise
std::vector<double> numbers_of(const JsonValue& list);                          ///< null is NaN
Vector<double> vector_of(const JsonValue& list);                                ///< likewise
Matrix<double> matrix_of(const JsonValue& rows);  ///< likewise; a list of lists of equal length

Json list_json(const Vector<double>& values);
Json rows_json(const Matrix<double>& values);  ///< a list of lists

}  // namespace ansatz
