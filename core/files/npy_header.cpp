#include "core/files/npy_header.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <functional>
#include <numeric>
#include <string_view>

#include "core/base/error.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

constexpr std::string_view kMagic = "\x93NUMPY"sv;

/// Reads the Python literal of a header: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }.
class HeaderParser {
 public:
  HeaderParser(const fs::path& path, std::string_view text) : path_(path), text_(text) {}

  NpyHeader parse() {
    NpyHeader header;
    std::vector<std::string> keys;
    expect('{');
    while (!accept('}')) {
      keys.push_back(quoted());
      expect(':');
      if (keys.back() == "descr")
        header.dtype = dtype();
      else if (keys.back() == "fortran_order")
        header.fortran_order = boolean();
      else if (keys.back() == "shape")
        header.shape = tuple();
      if (peek() != '}') expect(',');
    }
    std::sort(keys.begin(), keys.end());
    if (keys != std::vector<std::string>{"descr", "fortran_order", "shape"}) broken();
    check_size(header.shape);
    return header;
  }

 private:
  [[noreturn]] void broken() const { throw DataError(path_.string() + ": damaged .npy header"); }

  /// Also needed if a length is 0, because rows() and cols() are products of only some of the lengths.
  void check_size(const std::vector<Index>& shape) const {
    Index size = 1;
    for (const Index n : shape) {
      if (n > 0 && __builtin_mul_overflow(size, n, &size))
        throw DataError(path_.string() + ": damaged .npy header: its shape is larger than any file");
    }
  }

  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    if (at_ >= text_.size()) broken();
    return text_[at_];
  }

  bool accept(char c) {
    const bool accepted = peek() == c;
    if (accepted) ++at_;
    return accepted;
  }

  void expect(char c) {
    if (!accept(c)) broken();
  }

  std::string quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') broken();
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) broken();
    const std::string word(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return word;
  }

  std::string dtype() {
    if (peek() == '[') throw DataError(path_.string() + ": a structured array; save its columns as one numeric array");
    return quoted();
  }

  bool boolean() {
    peek();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return value;
    }
    broken();
  }

  std::vector<Index> tuple() {
    std::vector<Index> numbers;
    expect('(');
    while (!accept(')')) {
      Index value = -1;
      const char* const end = text_.data() + text_.size();
      const auto [rest, error] = std::from_chars(text_.data() + at_, end, value);
      if (error != std::errc() || value < 0) broken();
      at_ = static_cast<std::size_t>(rest - text_.data());
      numbers.push_back(value);
      if (peek() == 'L') ++at_;  // Python 2's long integers
      if (peek() != ')') expect(',');
    }
    return numbers;
  }

  const fs::path& path_;
  std::string_view text_;
  std::size_t at_ = 0;
};

std::string python_tuple(const std::vector<Index>& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

}  // namespace

bool NpyHeader::is_integer() const {
  return dtype.size() > 1 && (dtype[1] == 'i' || dtype[1] == 'u' || dtype[1] == 'b');
}

double NpyHeader::rounding() const {
  const std::string type = dtype.empty() ? dtype : dtype.substr(1);
  return type == "f2" ? std::ldexp(1, -10) : type == "f4" ? std::ldexp(1, -23) : std::ldexp(1, -52);
}

Index NpyHeader::rows() const { return shape.empty() ? 1 : shape[0]; }

Index NpyHeader::cols() const {
  return shape.empty() ? 1 : std::accumulate(shape.begin() + 1, shape.end(), Index{1}, std::multiplies<>());
}

namespace detail {

NpyHeader read_npy_header(InputFile& file) {
  const fs::path& path = file.path();
  std::array<char, 12> start{};
  if (file.read(start.data(), 8) < 8 || std::string_view(start.data(), kMagic.size()) != kMagic)
    throw DataError(path.string() + ": not a .npy file (save it with numpy.save)");
  const int version = start[6];
  if (version < 1 || version > 3) throw DataError(path.string() + ": unknown .npy version " + std::to_string(version));
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  std::size_t length = file.read(start.data() + 8, length_bytes) == length_bytes ? 0 : file.stored_bytes();
  for (std::size_t i = 0; i < length_bytes; ++i)
    length |= static_cast<std::size_t>(static_cast<unsigned char>(start[8 + i])) << (8 * i);
  if (file.position() + length > file.stored_bytes())
    throw DataError(path.string() + ": truncated within the .npy header");
  std::string text(length, '\0');
  file.read_exactly(text.data(), length);
  // A rule of the format. It also reveals a file that was transferred as text, which turns every \n into \r\n, even
  // among the values.
  if (text.empty() || text.back() != '\n')
    throw DataError(path.string() +
                    ": damaged .npy header: it does not end a line (transferred as text?); copy it again");
  return HeaderParser(path, text).parse();
}

std::string npy_preamble(const NpyHeader& header) {
  std::string text = "{'descr': '" + header.dtype + "', 'fortran_order': " + (header.fortran_order ? "True" : "False") +
                     ", 'shape': " + python_tuple(header.shape) + ", }";
  const std::size_t before = kMagic.size() + 4;  // magic, version 1.0, two bytes of length
  text.append(63 - (before + text.size()) % 64, ' ');
  text += '\n';
  std::string preamble(kMagic);
  preamble += {'\x01', '\x00', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return preamble + text;
}

}  // namespace detail

NpyHeader read_npy_header(const fs::path& path) {
  InputFile file(path);
  return detail::read_npy_header(file);
}

}  // namespace ansatz
