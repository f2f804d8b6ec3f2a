#include "nets/safetensors.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <type_traits>

#include "core/error.h"
#include "core/files.h"

namespace ansatz::nets {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t length_bytes = 8;
/// The limit of the reference implementation.
constexpr std::uint64_t longest_header = 100'000'000;

struct TypeName {
  const char* name;
  ElementType type;
  std::uint64_t bytes;
};
constexpr std::array<TypeName, 13> type_names = {{{"F64", ElementType::float64, 8},
                                                  {"F32", ElementType::float32, 4},
                                                  {"F16", ElementType::float16, 2},
                                                  {"BF16", ElementType::bfloat16, 2},
                                                  {"I64", ElementType::other, 8},
                                                  {"U64", ElementType::other, 8},
                                                  {"I32", ElementType::other, 4},
                                                  {"U32", ElementType::other, 4},
                                                  {"I16", ElementType::other, 2},
                                                  {"U16", ElementType::other, 2},
                                                  {"I8", ElementType::other, 1},
                                                  {"U8", ElementType::other, 1},
                                                  {"BOOL", ElementType::other, 1}}};

const TypeName* find_type(const std::string& name) {
  for (const TypeName& known : type_names) {
    if (name == known.name) return &known;
  }
  return nullptr;
}

std::string read_range(const std::filesystem::path& path, std::uint64_t begin, std::uint64_t size) {
  std::string bytes(static_cast<std::size_t>(size), '\0');
  std::ifstream in(path, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(begin));
  in.read(bytes.data(), static_cast<std::streamsize>(size));
  if (!in) throw DataError(path.string() + ": cannot be read, or became shorter while it was read");
  return bytes;
}

std::uint64_t little_endian(const std::string& bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

/// The header as JSON, at most three levels deep (name, then field, then a list of integers).
Json parse_header(const std::filesystem::path& path, const std::string& text) {
  constexpr int deepest = 3;
  const auto shallow = [&](int depth, Json::parse_event_t event, Json&) {
    const bool opens = event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start;
    if (opens && depth >= deepest) throw DataError(path.string() + ": the header is nested too deeply; damaged");
    return true;
  };
  try {
    Json header = Json::parse(text, shallow);
    if (!header.is_object()) throw DataError(path.string() + ": the header is not a JSON object; damaged");
    return header;
  } catch (const Json::exception&) {
    throw DataError(path.string() + ": the header is not JSON; not a safetensors file, or damaged");
  }
}

/// Non-negative integers only (JSON's own conversion would let 1.5, true and -1 through).
std::vector<std::uint64_t> unsigned_list(const Json& list) {
  std::vector<std::uint64_t> out;
  for (const Json& entry : list.get_ref<const Json::array_t&>()) {
    out.push_back(entry.get_ref<const Json::number_unsigned_t&>());
  }
  return out;
}

std::string header_length(std::uint64_t length) {
  std::string bytes;
  for (std::uint64_t i = 0; i < length_bytes; ++i) bytes += static_cast<char>(length >> (8 * i) & 0xff);
  return bytes;
}

}  // namespace

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path) : path_(path) {
  std::error_code error;
  const std::uint64_t file_size = std::filesystem::file_size(path, error);
  if (error) throw DataError(path.string() + ": cannot be read (" + error.message() + ")");
  if (file_size < length_bytes) throw DataError(path.string() + ": too short for a safetensors file");
  const std::uint64_t header_size = little_endian(read_range(path, 0, length_bytes));
  if (header_size > longest_header || header_size > file_size - length_bytes) {
    throw DataError(path.string() + ": a header of " + std::to_string(header_size) + " bytes in a file of " +
                    std::to_string(file_size) + "; truncated, or not a safetensors file");
  }
  const Json header = parse_header(path, read_range(path, length_bytes, header_size));
  const std::uint64_t data = length_bytes + header_size;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") continue;
    const std::string where = path.string() + ": tensor '" + printable(name) + "'";
    try {
      const std::vector<std::uint64_t> offsets = unsigned_list(entry.at("data_offsets"));
      if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > file_size - data) {
        throw DataError(where + " lies outside the file; truncated");
      }
      std::vector<std::int64_t> shape;
      for (const std::uint64_t size : unsigned_list(entry.at("shape")))
        shape.push_back(static_cast<std::int64_t>(size));
      add(name, entry.at("dtype").get_ref<const std::string&>(), shape, {data + offsets[0], data + offsets[1]});
    } catch (const Json::exception&) {
      throw DataError(where + " has no proper dtype, shape and data_offsets; damaged");
    }
  }
  std::stable_sort(tensors_.begin(), tensors_.end(),
                   [](const TensorInfo& a, const TensorInfo& b) { return natural_less(a.name, b.name); });
}

void SafetensorsFile::add(const std::string& name, const std::string& type, const std::vector<std::int64_t>& shape,
                          const Range& range) {
  const std::string where = path_.string() + ": tensor '" + printable(name) + "'";
  TensorInfo tensor;
  tensor.name = name;
  tensor.type_name = type;
  tensor.shape = shape;
  tensor.strides = contiguous_strides(shape);
  tensor.storage = name;
  // Types this reader does not know (float8, ...) are never read, so their size is not checked.
  if (const TypeName* known = find_type(type)) {
    tensor.type = known->type;
    std::uint64_t bytes = known->bytes;
    for (const std::int64_t size : shape) {
      if (size < 0 || __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(size), &bytes)) {
        throw DataError(where + " is too large; damaged");
      }
    }
    if (bytes != range.end - range.begin) {
      throw DataError(where + " (" + shape_text(shape) + ", " + printable(type) + ") needs " + std::to_string(bytes) +
                      " bytes but has " + std::to_string(range.end - range.begin) + "; damaged");
    }
    tensor.storage_elements = static_cast<std::int64_t>(bytes / known->bytes);
  }
  ranges_.emplace(name, range);
  tensors_.push_back(std::move(tensor));
}

std::string SafetensorsFile::read(const TensorInfo& tensor) const {
  const Range& range = ranges_.at(tensor.storage);
  return read_range(path_, range.begin, range.end - range.begin);
}

template <class Scalar>
void write_safetensors_file(const std::filesystem::path& path, const std::vector<NamedMatrix<Scalar>>& tensors) {
  nlohmann::ordered_json header;
  header["__metadata__"] = {{"format", "pt"}};  // PyTorch's tools ask for it
  std::uint64_t offset = 0;
  for (const NamedMatrix<Scalar>& tensor : tensors) {
    const std::uint64_t end = offset + static_cast<std::uint64_t>(tensor.values.size()) * sizeof(Scalar);
    const std::vector<Index> shape = tensor.is_vector ? std::vector<Index>{tensor.values.size()}
                                                      : std::vector<Index>{tensor.values.rows(), tensor.values.cols()};
    header[tensor.name] = {
        {"dtype", std::is_same_v<Scalar, double> ? "F64" : "F32"}, {"shape", shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.append((length_bytes - text.size() % length_bytes) % length_bytes, ' ');  // aligns the data, as the format asks
  write_file_atomically(path, [&](std::ostream& out) {
    out << header_length(text.size()) << text;
    for (const NamedMatrix<Scalar>& tensor : tensors) {
      out.write(reinterpret_cast<const char*>(tensor.values.data()),
                static_cast<std::streamsize>(static_cast<std::size_t>(tensor.values.size()) * sizeof(Scalar)));
    }
  });
}

bool natural_less(const std::string& a, const std::string& b) {
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!digit(a[i]) || !digit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
      continue;
    }
    while (i < a.size() && a[i] == '0') ++i;
    while (j < b.size() && b[j] == '0') ++j;
    const std::size_t first_a = i, first_b = j;
    while (i < a.size() && digit(a[i])) ++i;
    while (j < b.size() && digit(b[j])) ++j;
    if (i - first_a != j - first_b) return i - first_a < j - first_b;  // more digits, larger number
    const int order = a.compare(first_a, i - first_a, b, first_b, j - first_b);
    if (order != 0) return order < 0;
  }
  return i == a.size() && j < b.size();
}

template void write_safetensors_file<float>(const std::filesystem::path&, const std::vector<NamedMatrix<float>>&);
template void write_safetensors_file<double>(const std::filesystem::path&, const std::vector<NamedMatrix<double>>&);

}  // namespace ansatz::nets
