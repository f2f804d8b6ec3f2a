#include "core/files/csv_cell.h"

#include <array>
#include <charconv>

namespace ansatz {

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string csv_cell(const std::optional<double>& value) {
  if (!value) return "";
  std::array<char, 40> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), *value);
  return {buffer.data(), result.ptr};
}

}  // namespace ansatz
