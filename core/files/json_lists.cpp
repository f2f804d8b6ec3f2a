#include "core/files/json_lists.h"

#include <nlohmann/json.hpp>

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

Vector<double> vector_of(const JsonValue& list) {
  const std::vector<double> numbers = numbers_of(list);
  return Eigen::Map<const Vector<double>>(numbers.data(), static_cast<Index>(numbers.size()));
}

Matrix<double> matrix_of(const JsonValue& rows) {
  std::vector<Vector<double>> list;
  for (const JsonValue& row : rows.list()) list.push_back(vector_of(row));
  Matrix<double> matrix(static_cast<Index>(list.size()), list.empty() ? 0 : list.front().size());
  for (Index i = 0; i < matrix.rows(); ++i) {
    const Vector<double>& row = list[static_cast<std::size_t>(i)];
    if (row.size() != matrix.cols()) rows.fail("must have rows of equal length");
    matrix.row(i) = row.transpose();
  }
  return matrix;
}

Json list_json(const Vector<double>& values) {
  return std::vector<double>(values.data(), values.data() + values.size());
}

Json rows_json(const Matrix<double>& values) {
  Json rows = Json::array();
  for (Index i = 0; i < values.rows(); ++i) rows.push_back(list_json(values.row(i).transpose()));
  return rows;
}

}  // namespace ansatz
