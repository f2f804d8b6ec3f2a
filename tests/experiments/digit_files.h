// Made digits in MNIST's own files.
#pragma once

#include <functional>
#include <string>

#include "tests/experiments/program.h"

namespace ansatz::testing {

inline std::string big_endian(int value) {
  std::string text;
  for (const int shift : {24, 16, 8, 0}) text += static_cast<char>(value >> shift & 255);
  return text;
}

/// mnist/<part>-images-idx3-ubyte and its labels: n digits of the class i % 10, `draw`n as 28 * 28 bytes.
inline void write_digits(const Workspace& work, const std::string& part, int n,
                         const std::function<std::string(int label)>& draw) {
  std::string images = std::string("\0\0\x08\x03", 4) + big_endian(n) + big_endian(28) + big_endian(28);
  std::string labels = std::string("\0\0\x08\x01", 4) + big_endian(n);
  for (int i = 0; i < n; ++i) {
    images += draw(i % 10);
    labels += static_cast<char>(i % 10);
  }
  work.write("mnist/" + part + "-images-idx3-ubyte", images);
  work.write("mnist/" + part + "-labels-idx1-ubyte", labels);
}

/// Ink in the row 4 + 2 * label, from `column` on, 16 pixels long.
inline std::string barred_digit(int label, std::size_t column) {
  std::string digit(28 * 28, '\0');
  digit.replace(static_cast<std::size_t>(4 + 2 * label) * 28 + column, 16, std::string(16, static_cast<char>(255)));
  return digit;
}

}  // namespace ansatz::testing
