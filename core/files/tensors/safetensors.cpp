#include "core/files/tensors/safetensors.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <tuple>
#include <unordered_set>

#include "core/base/error.h"
#include "core/base/printable_text.h"
#include "core/files/checksum.h"
#include "core/files/files.h"

namespace ansatz {
namespace {

using HeaderJson = nlohmann::json;  // members sorted, and looked up in no time

constexpr std::uint64_t length_bytes = 8;
/// The limit that the reference implementation sets, too.
constexpr std::uint64_t longest_header = 100'000'000;
constexpr std::size_t kLongestShown = 100;  // bytes of a name, in messages

struct TypeName {
  const char* name;
  ElementType type;
  std::uint64_t bits;
};
/// All types of the format; those that this program does not compute with may stand beside the weights.
constexpr std::array<TypeName, 22> type_names = {
    {{"F64", ElementType::float64, 64},      {"F32", ElementType::float32, 32},  {"F16", ElementType::float16, 16},
     {"BF16", ElementType::bfloat16, 16},    {"I64", ElementType::other, 64},    {"U64", ElementType::other, 64},
     {"C64", ElementType::other, 64},        {"I32", ElementType::other, 32},    {"U32", ElementType::other, 32},
     {"I16", ElementType::other, 16},        {"U16", ElementType::other, 16},    {"I8", ElementType::other, 8},
     {"U8", ElementType::other, 8},          {"BOOL", ElementType::other, 8},    {"F8_E4M3", ElementType::other, 8},
     {"F8_E5M2", ElementType::other, 8},     {"F8_E8M0", ElementType::other, 8}, {"F8_E4M3FNUZ", ElementType::other, 8},
     {"F8_E5M2FNUZ", ElementType::other, 8}, {"F6_E2M3", ElementType::other, 6}, {"F6_E3M2", ElementType::other, 6},
     {"F4", ElementType::other, 4}}};

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

/// Refuses what the format forbids but a JSON reader accepts: a key given twice, whose first value would be lost, and
/// deeper nesting than the reference reader accepts.
class HeaderRules {
 public:
  explicit HeaderRules(const std::string& file) : file_(file) {}

  bool operator()(int depth, HeaderJson::parse_event_t event, const HeaderJson& parsed) {
    constexpr std::size_t deepest = 127;
    const auto level = static_cast<std::size_t>(depth);
    if (event == HeaderJson::parse_event_t::object_start || event == HeaderJson::parse_event_t::array_start) {
      if (level >= deepest) throw DataError(file_ + ": the header is nested too deeply; damaged");
      keys_.resize(std::max(keys_.size(), level + 2));
      keys_[level + 1].clear();
    } else if (event == HeaderJson::parse_event_t::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (!keys_[level].insert(key).second)
        throw DataError(file_ + ": the header has '" + printable(key, kLongestShown) + "' twice; damaged");
    }
    return true;
  }

 private:
  const std::string& file_;
  std::vector<std::unordered_set<std::string>> keys_;  // of the object that is open at each depth
};

/// The header as a JSON object. The format wants '{' first; a zero byte would end the text for the parser.
HeaderJson parse_header(const std::string& file, const std::string& text) {
  if (text.empty() || text.front() != '{' || text.find('\0') != std::string::npos)
    throw DataError(file + ": the header is not a JSON object; not a safetensors file, or damaged");
  HeaderRules rules(file);
  try {
    return HeaderJson::parse(text, [&](int depth, HeaderJson::parse_event_t event, HeaderJson& parsed) {
      return rules(depth, event, parsed);
    });
  } catch (const HeaderJson::exception&) {
    throw DataError(file + ": the header is not JSON in UTF-8; not a safetensors file, or damaged");
  }
}

void check_metadata(const std::string& file, const HeaderJson& metadata) {
  if (metadata.is_null()) return;
  const bool texts = metadata.is_object() &&
                     std::all_of(metadata.begin(), metadata.end(), [](const HeaderJson& v) { return v.is_string(); });
  if (!texts) throw DataError(file + ": __metadata__ is not a mapping of text to text; damaged");
}

/// A list of non-negative integers. JSON's own conversion would accept 1.5, true and -1.
std::vector<std::uint64_t> unsigned_list(const HeaderJson& list) {
  std::vector<std::uint64_t> out;
  for (const HeaderJson& entry : list.get_ref<const HeaderJson::array_t&>()) {
    out.push_back(entry.get_ref<const HeaderJson::number_unsigned_t&>());
  }
  return out;
}

}  // namespace

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path) : path_(path) {
  std::error_code error;
  const std::string file = path.string();
  const std::uint64_t file_size = std::filesystem::file_size(path, error);
  if (error) throw DataError(file + ": cannot be read (" + error.message() + ")");
  if (file_size < length_bytes) throw DataError(file + ": too short for a safetensors file");
  const std::uint64_t header_size = little_endian(read_range(path, 0, length_bytes));
  if (header_size > longest_header || header_size > file_size - length_bytes) {
    throw DataError(file + ": a header of " + std::to_string(header_size) + " bytes in a file of " +
                    std::to_string(file_size) + "; truncated, or not a safetensors file");
  }
  const HeaderJson header = parse_header(file, read_range(path, length_bytes, header_size));
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") {
      check_metadata(file, entry);
      for (const auto& [key, text] : entry.items()) metadata_[key] = text.get<std::string>();
      continue;
    }
    try {
      const std::vector<std::uint64_t> offsets = unsigned_list(entry.at("data_offsets"));
      if (offsets.size() != 2) throw DataError(place(name) + " has no proper dtype, shape and data_offsets; damaged");
      add(name, entry.at("dtype").get_ref<const std::string&>(), unsigned_list(entry.at("shape")),
          {offsets[0], offsets[1]});
    } catch (const HeaderJson::exception&) {
      throw DataError(place(name) + " has no proper dtype, shape and data_offsets; damaged");
    }
  }
  data_begin_ = length_bytes + header_size;
  check_ranges(file_size - data_begin_);
  for (auto& [name, range] : ranges_) range = {data_begin_ + range.begin, data_begin_ + range.end};
  std::stable_sort(tensors_.begin(), tensors_.end(),
                   [](const TensorInfo& a, const TensorInfo& b) { return natural_less(a.name, b.name); });
}

std::string SafetensorsFile::place(const std::string& tensor) const {
  return path_.string() + ": tensor '" + printable(tensor, kLongestShown) + "'";
}

void SafetensorsFile::add(const std::string& name, const std::string& type, const std::vector<std::uint64_t>& shape,
                          const Range& range) {
  const TypeName* const known = find_type(type);
  if (!known)
    throw DataError(place(name) + " is of type " + printable(type, kLongestShown) + ", which is none of the format's");
  std::uint64_t elements = 1, bits = 0;
  bool overflow = false;
  for (const std::uint64_t size : shape) overflow |= __builtin_mul_overflow(elements, size, &elements);
  if (overflow || __builtin_mul_overflow(elements, known->bits, &bits))
    throw DataError(place(name) + " is too large; damaged");
  TensorInfo tensor;
  tensor.name = name;
  tensor.type = known->type;
  tensor.type_name = type;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.strides = contiguous_strides(tensor.shape);
  tensor.storage = name;
  tensor.storage_elements = static_cast<std::int64_t>(elements);
  if (bits % 8 != 0 || range.begin > range.end || bits / 8 != range.end - range.begin) {
    throw DataError(place(name) + " (" + shape_text(tensor.shape) + ", " + type + ") needs " +
                    std::to_string((bits + 7) / 8) + " bytes but has data_offsets " + std::to_string(range.begin) +
                    " to " + std::to_string(range.end) + "; damaged");
  }
  ranges_.emplace(name, range);
  tensors_.push_back(std::move(tensor));
}

void SafetensorsFile::check_ranges(std::uint64_t data_size) const {
  std::vector<const std::pair<const std::string, Range>*> in_order;
  for (const auto& named : ranges_) in_order.push_back(&named);
  std::sort(in_order.begin(), in_order.end(), [](const auto* a, const auto* b) {
    return std::tie(a->second.begin, a->second.end) < std::tie(b->second.begin, b->second.end);
  });
  std::uint64_t reached = 0;
  for (const auto* named : in_order) {
    const Range& range = named->second;
    if (range.begin < reached) throw DataError(place(named->first) + " lies on bytes of another tensor; damaged");
    if (range.begin > reached) {
      throw DataError(place(named->first) + " leaves " + std::to_string(range.begin - reached) +
                      " bytes before it to no tensor; damaged");
    }
    if (range.end > data_size) throw DataError(place(named->first) + " reaches past the end of the file; truncated");
    reached = range.end;
  }
  if (reached < data_size) {
    throw DataError(path_.string() + ": its last " + std::to_string(data_size - reached) +
                    " bytes belong to no tensor; damaged, or written to by another program");
  }
}

std::string SafetensorsFile::read(const TensorInfo& tensor) const {
  const Range& range = ranges_.at(tensor.storage);
  return read_range(path_, range.begin, range.end - range.begin);
}

template <class Scalar>
Matrix<Scalar> SafetensorsFile::matrix(const std::string& name, Index rows, Index cols) const {
  const auto found =
      std::find_if(tensors_.begin(), tensors_.end(), [&](const TensorInfo& t) { return t.name == name; });
  if (found == tensors_.end()) throw DataError(place(name) + " is missing; damaged, or of another version");
  const std::vector<std::int64_t>& shape = found->shape;
  const auto fits = [](std::int64_t size, Index wanted) { return wanted < 0 || size == wanted; };
  const bool right = found->type == (sizeof(Scalar) == 4 ? ElementType::float32 : ElementType::float64) &&
                     shape.size() == (cols == 0 ? 1 : 2) && fits(shape[0], rows) && (cols == 0 || fits(shape[1], cols));
  if (!right) {
    throw DataError(place(name) + " is " + shape_text(shape) + " " + found->type_name +
                    ", not as the rest of the file needs it; damaged");
  }
  Matrix<Scalar> values(shape[0], cols == 0 ? 1 : shape[1]);
  const std::string bytes = read(*found);
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  if (!values.allFinite()) throw DataError(place(name) + " holds NaN or infinite values; damaged");
  return values;
}

JsonValue SafetensorsFile::metadata_json(const std::string& key) const {
  const auto found = metadata_.find(key);
  if (found == metadata_.end())
    throw DataError(path_.string() + ": its metadata have no '" + key + "'; not a model of this program, or damaged");
  return JsonValue::parse(found->second, path_);
}

std::string SafetensorsFile::data_checksum() const {
  InputFile in(path_);
  in.seek(data_begin_);
  Checksum sum;
  std::vector<char> buffer(1 << 20);
  while (const std::size_t count = in.read(buffer.data(), buffer.size())) sum.add(buffer.data(), count);
  return sum.text();
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

template Matrix<float> SafetensorsFile::matrix(const std::string&, Index, Index) const;
template Matrix<double> SafetensorsFile::matrix(const std::string&, Index, Index) const;

}  // namespace ansatz
