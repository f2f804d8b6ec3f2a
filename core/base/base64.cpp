#include "core/base/base64.h"

#include <cstdint>

namespace ansatz {

std::string base64(std::string_view bytes) {
  static const char* const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      group = group << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    }
    for (int j = 3; j >= 0; --j) {
      const bool padding = i + static_cast<std::size_t>(3 - j) > bytes.size();
      text += padding ? '=' : digits[group >> (6 * j) & 63u];
    }
  }
  return text;
}

}  // namespace ansatz
