#include "core/files/npy.h"

#include <algorithm>
#include <cstdint>

#include "core/base/error.h"
#include "core/files/files.h"
#include "core/files/npy_dtype.h"
#include "core/files/npy_header.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

constexpr bool kLittleEndianHost = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
constexpr Index kChunk = 1 << 16;  // values converted at a time

[[noreturn]] void refuse_dtype(const fs::path& path, const std::string& descr) {
  const char kind = descr.size() > 1 ? descr[1] : '?';
  const char* const contents = kind == 'O'                  ? "Python objects"
                               : kind == 'c'                ? "complex numbers"
                               : kind == 'S' || kind == 'U' ? "text"
                               : kind == 'M' || kind == 'm' ? "dates"
                                                            : "values of an unsupported type";
  throw DataError(path.string() + ": holds " + contents + " (dtype " + descr +
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
  if (data_bytes > expected)
    throw DataError(path.string() + ": " + std::to_string(data_bytes - expected) +
                    " bytes beyond its values: damaged, or several arrays in one file; save one array a file");
}

/// An open file, at its first value.
template <class Scalar>
struct StoredArray {
  InputFile& file;
  NpyHeader header;
  const detail::NpyDtype<Scalar>& dtype;

  void read(Index count, Scalar* out) const {
    const bool swap = detail::is_swapped(header);
    if (!swap && dtype.decoder == static_cast<detail::NpyDecoder<Scalar>>(detail::decode_npy<Scalar, Scalar>)) {
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

template <class Scalar>
void read_fortran(const StoredArray<Scalar>& array, Matrix<Scalar>& a) {
  Vector<Scalar> values(std::min(kChunk, a.rows()));
  for (Index r = 0; r < a.cols(); ++r) {
    const Index column = detail::fortran_column(r, array.header.shape);
    for (Index row = 0; row < a.rows(); row += values.size()) {
      const Index count = std::min(values.size(), a.rows() - row);
      array.read(count, values.data());
      a.col(column).segment(row, count) = values.head(count);
    }
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

namespace detail {

template <class Scalar>
const NpyDtype<Scalar>& checked_npy_dtype(const fs::path& path, const NpyHeader& header, std::uintmax_t data_bytes) {
  const NpyDtype<Scalar>* const dtype = find_npy_dtype<Scalar>(header.dtype);
  if (dtype == nullptr) refuse_dtype(path, header.dtype);
  check_extent(path, header, dtype->bytes, data_bytes);
  return *dtype;
}

bool is_swapped(const NpyHeader& header) { return header.dtype[0] == (kLittleEndianHost ? '>' : '<'); }

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

template const NpyDtype<float>& checked_npy_dtype(const fs::path&, const NpyHeader&, std::uintmax_t);
template const NpyDtype<double>& checked_npy_dtype(const fs::path&, const NpyHeader&, std::uintmax_t);
template const NpyDtype<std::int64_t>& checked_npy_dtype(const fs::path&, const NpyHeader&, std::uintmax_t);
template const NpyDtype<std::uint64_t>& checked_npy_dtype(const fs::path&, const NpyHeader&, std::uintmax_t);

}  // namespace detail

template <class Scalar>
Matrix<Scalar> read_npy(const fs::path& path) {
  InputFile file(path);
  const NpyHeader header = detail::read_npy_header(file);
  const StoredArray<Scalar> array{
      file, header, detail::checked_npy_dtype<Scalar>(path, header, file.stored_bytes() - file.position())};
  Matrix<Scalar> a(header.rows(), header.cols());
  if (a.size() == 0) return a;
  if (header.fortran_order && header.shape.size() > 1)
    read_fortran(array, a);
  else
    array.read(a.size(), a.data());
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
