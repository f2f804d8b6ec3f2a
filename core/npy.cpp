#include "core/npy.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>

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

/// An open file, at its first value.
template <class Scalar>
struct StoredArray {
  InputFile& file;
  NpyHeader header;
  const Dtype<Scalar>& dtype;
  bool swap;

  void read(Index count, Scalar* out) const {
    if (!swap && dtype.decoder == static_cast<Decoder<Scalar>>(decode<Scalar, Scalar>)) {
      file.read_exactly(reinterpret_cast<char*>(out), static_cast<std::size_t>(count * dtype.bytes));
      return;
    }
    std::vector<char> bytes(static_cast<std::size_t>(std::min(kChunk, count) * dtype.bytes));
    for (Index at = 0; at < count; at += kChunk) {
      const Index some = std::min(kChunk, count - at);
      file.read_exactly(bytes.data(), static_cast<std::size_t>(some * dtype.bytes));
      dtype.decoder(bytes.data(), some, swap, out + at);
    }
  }
};

/// `rows`: null for all.
template <class Scalar>
void read_fortran(const StoredArray<Scalar>& array, const std::vector<Index>* rows, Matrix<Scalar>& a) {
  const Index n = array.header.rows();
  Vector<Scalar> values(std::min(kChunk, n));
  for (Index r = 0; r < a.cols(); ++r) {
    const Index column = fortran_column(r, array.header.shape);
    Index kept = 0;
    for (Index row = 0; row < n; row += values.size()) {
      const Index count = std::min(values.size(), n - row);
      array.read(count, values.data());
      if (rows == nullptr) a.col(column).segment(row, count) = values.head(count);
      for (; rows != nullptr && kept < a.rows() && (*rows)[static_cast<std::size_t>(kept)] < row + count; ++kept)
        a(kept, column) = values[(*rows)[static_cast<std::size_t>(kept)] - row];
    }
  }
}

template <class Scalar>
void read_c_order(const StoredArray<Scalar>& array, const std::vector<Index>* rows, Matrix<Scalar>& a) {
  if (rows == nullptr) return array.read(a.size(), a.data());
  const std::uintmax_t begin = array.file.position();
  for (std::size_t i = 0; i < rows->size();) {
    std::size_t next = i + 1;  // rows that follow each other are read at once
    while (next < rows->size() && (*rows)[next] == (*rows)[next - 1] + 1) ++next;
    array.file.seek(begin + static_cast<std::uintmax_t>((*rows)[i] * a.cols() * array.dtype.bytes));
    array.read(static_cast<Index>(next - i) * a.cols(), a.data() + static_cast<Index>(i) * a.cols());
    i = next;
  }
}

template <class Scalar>
Matrix<Scalar> read_rows(const fs::path& path, const std::vector<Index>* rows) {
  InputFile file(path);
  const NpyHeader header = detail::read_npy_header(file);
  const Dtype<Scalar>* const dtype = find_dtype<Scalar>(header.dtype);
  if (dtype == nullptr) refuse_dtype(path, header.dtype);
  check_extent(path, header, dtype->bytes, file.stored_bytes() - file.position());
  const bool swap = dtype->bytes > 1 && header.dtype[0] == (kLittleEndianHost ? '>' : '<');
  if (rows != nullptr && !rows->empty() && (rows->front() < 0 || rows->back() >= header.rows()))
    throw std::out_of_range("read_npy: rows beyond those of the array");
  Matrix<Scalar> a(rows == nullptr ? header.rows() : static_cast<Index>(rows->size()), header.cols());
  if (a.size() == 0) return a;
  const StoredArray<Scalar> array{file, header, *dtype, swap};
  if (header.fortran_order && header.shape.size() > 1)
    read_fortran(array, rows, a);
  else
    read_c_order(array, rows, a);
  return a;
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
  return read_rows<Scalar>(path, nullptr);
}

template <class Scalar>
Matrix<Scalar> read_npy(const fs::path& path, const std::vector<Index>& rows) {
  return read_rows<Scalar>(path, &rows);
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
template Matrix<float> read_npy<float>(const fs::path&, const std::vector<Index>&);
template Matrix<double> read_npy<double>(const fs::path&, const std::vector<Index>&);
template void write_npy<float>(const fs::path&, const MatrixView<float>&);
template void write_npy<double>(const fs::path&, const MatrixView<double>&);
template void detail::write_npy_vector<float>(const fs::path&, const Vector<float>&);
template void detail::write_npy_vector<double>(const fs::path&, const Vector<double>&);

}  // namespace ansatz
