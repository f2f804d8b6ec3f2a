#include "core/npy.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>

#include "core/error.h"
#include "core/files.h"
#include "core/npy_header.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

constexpr bool kLittleEndianHost = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
constexpr Index kChunk = 1 << 16;  // values converted at a time

/// Turns `count` stored values into Scalars, reversing the bytes of each if `swap`.
template <class Scalar>
using Decoder = void (*)(const char* bytes, Index count, bool swap, Scalar* out);

template <class Stored, class Scalar>
void decode(const char* bytes, Index count, bool swap, Scalar* out) {
  for (Index i = 0; i < count; ++i, bytes += sizeof(Stored)) {
    char raw[sizeof(Stored)];
    std::memcpy(raw, bytes, sizeof(Stored));
    if (swap) std::reverse(raw, raw + sizeof(Stored));
    Stored value;
    std::memcpy(static_cast<void*>(&value), raw, sizeof(Stored));
    out[i] = static_cast<Scalar>(value);
  }
}

template <class Scalar>
struct Dtype {
  const char* name;  ///< kind and size of NumPy's descr
  Index bytes;
  Decoder<Scalar> decoder;
};

template <class Scalar>
const Dtype<Scalar>* find_dtype(const std::string& descr) {
  static const Dtype<Scalar> table[] = {
      {"b1", 1, decode<std::uint8_t, Scalar>}, {"u1", 1, decode<std::uint8_t, Scalar>},
      {"i1", 1, decode<std::int8_t, Scalar>},  {"u2", 2, decode<std::uint16_t, Scalar>},
      {"i2", 2, decode<std::int16_t, Scalar>}, {"u4", 4, decode<std::uint32_t, Scalar>},
      {"i4", 4, decode<std::int32_t, Scalar>}, {"u8", 8, decode<std::uint64_t, Scalar>},
      {"i8", 8, decode<std::int64_t, Scalar>}, {"f2", 2, decode<Eigen::half, Scalar>},
      {"f4", 4, decode<float, Scalar>},        {"f8", 8, decode<double, Scalar>},
  };
  if (descr.empty() || std::strchr("<>|=", descr[0]) == nullptr) return nullptr;
  const auto found = std::find_if(std::begin(table), std::end(table), [&](const Dtype<Scalar>& row) {
    return descr.compare(1, std::string::npos, row.name) == 0;
  });
  return found == std::end(table) ? nullptr : &*found;
}

[[noreturn]] void refuse_dtype(const fs::path& path, const std::string& descr) {
  const char kind = descr.size() > 1 ? descr[1] : '?';
  const char* const what = kind == 'O'                  ? "Python objects"
                           : kind == 'c'                ? "complex numbers"
                           : kind == 'S' || kind == 'U' ? "text"
                           : kind == 'M' || kind == 'm' ? "dates"
                                                        : "values of an unsupported type";
  throw DataError(path.string() + ": holds " + what + " (dtype " + descr +
                  "); save real numbers, e.g. array.astype('float32')");
}

/// Throws unless the shape is one we read and the file holds all of it.
void check_extent(const fs::path& path, const NpyHeader& header, Index value_bytes, std::uintmax_t data_bytes) {
  if (header.shape.size() > 4)
    throw DataError(path.string() + ": has " + std::to_string(header.shape.size()) + " dimensions; at most 4 are read");
  std::uintmax_t expected = static_cast<std::uintmax_t>(value_bytes);
  bool empty = false, overflow = false;
  for (const Index n : header.shape) {
    empty |= n == 0;
    overflow |= __builtin_mul_overflow(expected, static_cast<std::uintmax_t>(n), &expected);
  }
  if (empty) return;
  if (overflow) throw DataError(path.string() + ": damaged .npy header: its shape is larger than any file");
  if (data_bytes < expected)
    throw DataError(path.string() + ": truncated: expected " + std::to_string(expected) + " bytes of values, found " +
                    std::to_string(data_bytes));
}

void read_bytes(const fs::path& path, std::ifstream& file, char* bytes, Index count) {
  if (!file.read(bytes, static_cast<std::streamsize>(count)))
    throw DataError(path.string() + ": truncated while being read");
}

/// Where the values of a Fortran-ordered array go: for the r-th run of n values (the r-th combination of the other
/// indices, the first of them fastest), its column in C order.
Index fortran_column(Index r, const std::vector<Index>& shape) {
  Index column = 0;
  Index stride = 1;
  for (std::size_t i = 2; i < shape.size(); ++i) stride *= shape[i];
  for (std::size_t i = 1; i < shape.size(); ++i) {
    column += (r % shape[i]) * stride;
    r /= shape[i];
    if (i + 1 < shape.size()) stride /= shape[i + 1];
  }
  return column;
}

template <class Scalar>
void read_fortran(const fs::path& path, std::ifstream& file, const NpyHeader& header, const Dtype<Scalar>& dtype,
                  bool swap, Matrix<Scalar>& a) {
  std::vector<char> bytes(static_cast<std::size_t>(std::min(kChunk, a.rows()) * dtype.bytes));
  Vector<Scalar> values(std::min(kChunk, a.rows()));
  for (Index r = 0; r < a.cols(); ++r) {
    const Index column = fortran_column(r, header.shape);
    for (Index row = 0; row < a.rows(); row += values.size()) {
      const Index count = std::min(values.size(), a.rows() - row);
      read_bytes(path, file, bytes.data(), count * dtype.bytes);
      dtype.decoder(bytes.data(), count, swap, values.data());
      a.col(column).segment(row, count) = values.head(count);
    }
  }
}

template <class Scalar>
void read_c_order(const fs::path& path, std::ifstream& file, const Dtype<Scalar>& dtype, bool swap, Matrix<Scalar>& a) {
  if (!swap && dtype.decoder == static_cast<Decoder<Scalar>>(decode<Scalar, Scalar>)) {
    read_bytes(path, file, reinterpret_cast<char*>(a.data()), a.size() * dtype.bytes);
    return;
  }
  std::vector<char> bytes(static_cast<std::size_t>(std::min(kChunk, a.size()) * dtype.bytes));
  for (Index at = 0; at < a.size(); at += kChunk) {
    const Index count = std::min(kChunk, a.size() - at);
    read_bytes(path, file, bytes.data(), count * dtype.bytes);
    dtype.decoder(bytes.data(), count, swap, a.data() + at);
  }
}

template <class Scalar>
void write_values(const fs::path& path, std::vector<Index> shape, const MatrixView<Scalar>& a) {
  const std::string dtype = std::string(kLittleEndianHost ? "<f" : ">f") + std::to_string(sizeof(Scalar));
  const std::string preamble = detail::npy_preamble({std::move(shape), dtype, false});
  write_file_atomically(path, [&](std::ostream& out) {
    out << preamble;
    const bool contiguous = a.outerStride() == a.cols();
    const Index blocks = contiguous ? 1 : a.rows();
    const auto bytes = static_cast<std::streamsize>(sizeof(Scalar)) * (contiguous ? a.size() : a.cols());
    for (Index i = 0; i < blocks && bytes > 0; ++i)
      out.write(reinterpret_cast<const char*>(a.data() + i * a.outerStride()), bytes);
  });
}

}  // namespace

template <class Scalar>
Matrix<Scalar> read_npy(const fs::path& path) {
  std::ifstream file;
  std::uintmax_t data_bytes = 0;
  const NpyHeader header = detail::open_npy(path, file, data_bytes);
  const Dtype<Scalar>* const dtype = find_dtype<Scalar>(header.dtype);
  if (dtype == nullptr) refuse_dtype(path, header.dtype);
  check_extent(path, header, dtype->bytes, data_bytes);
  const bool swap = dtype->bytes > 1 && header.dtype[0] == (kLittleEndianHost ? '>' : '<');
  Matrix<Scalar> a(header.rows(), header.cols());
  if (a.size() == 0) return a;
  if (header.fortran_order && header.shape.size() > 1)
    read_fortran(path, file, header, *dtype, swap, a);
  else
    read_c_order(path, file, *dtype, swap, a);
  return a;
}

template <class Scalar>
void write_npy(const fs::path& path, const MatrixView<Scalar>& a) {
  write_values<Scalar>(path, {a.rows(), a.cols()}, a);
}

template <class Scalar>
void detail::write_npy_vector(const fs::path& path, const Vector<Scalar>& a) {
  write_values<Scalar>(path, {a.size()}, Eigen::Map<const Matrix<Scalar>>(a.data(), 1, a.size()));
}

template Matrix<float> read_npy<float>(const fs::path&);
template Matrix<double> read_npy<double>(const fs::path&);
template void write_npy<float>(const fs::path&, const MatrixView<float>&);
template void write_npy<double>(const fs::path&, const MatrixView<double>&);
template void detail::write_npy_vector<float>(const fs::path&, const Vector<float>&);
template void detail::write_npy_vector<double>(const fs::path&, const Vector<double>&);

}  // namespace ansatz
