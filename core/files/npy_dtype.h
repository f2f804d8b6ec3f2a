// How the bytes of a .npy file, or of an array that has one of its element types, become numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/files/npy.h"

namespace ansatz::detail {

/// Turns `count` stored values into Scalars, reversing the bytes of each if `swap`.
template <class Scalar>
using NpyDecoder = void (*)(const char* bytes, Index count, bool swap, Scalar* out);

template <class Stored, class Scalar>
void decode_npy(const char* bytes, Index count, bool swap, Scalar* out) {
  for (Index i = 0; i < count; ++i, bytes += sizeof(Stored)) {
    char raw[sizeof(Stored)];
    std::memcpy(raw, bytes, sizeof(Stored));
    if (swap) std::reverse(raw, raw + sizeof(Stored));
    Stored value;
    std::memcpy(static_cast<void*>(&value), raw, sizeof(Stored));
    if constexpr (std::is_same_v<Stored, Eigen::half>)
      out[i] = static_cast<Scalar>(static_cast<float>(value));
    else
      out[i] = static_cast<Scalar>(value);
  }
}

template <class Scalar>
struct NpyDtype {
  const char* name;  ///< kind and size of NumPy's descr
  Index bytes;
  NpyDecoder<Scalar> decoder;
};

/// The row of a NumPy type; null if the type is not one of real numbers.
template <class Scalar>
const NpyDtype<Scalar>* find_npy_dtype(const std::string& descr) {
  static const NpyDtype<Scalar> table[] = {
      {"b1", 1, decode_npy<std::uint8_t, Scalar>}, {"u1", 1, decode_npy<std::uint8_t, Scalar>},
      {"i1", 1, decode_npy<std::int8_t, Scalar>},  {"u2", 2, decode_npy<std::uint16_t, Scalar>},
      {"i2", 2, decode_npy<std::int16_t, Scalar>}, {"u4", 4, decode_npy<std::uint32_t, Scalar>},
      {"i4", 4, decode_npy<std::int32_t, Scalar>}, {"u8", 8, decode_npy<std::uint64_t, Scalar>},
      {"i8", 8, decode_npy<std::int64_t, Scalar>}, {"f2", 2, decode_npy<Eigen::half, Scalar>},
      {"f4", 4, decode_npy<float, Scalar>},        {"f8", 8, decode_npy<double, Scalar>},
  };
  if (descr.empty() || std::strchr("<>|=", descr[0]) == nullptr) return nullptr;
  const auto found = std::find_if(std::begin(table), std::end(table), [&](const NpyDtype<Scalar>& row) {
    return descr.compare(1, std::string::npos, row.name) == 0;
  });
  return found == std::end(table) ? nullptr : &*found;
}

/// The header's dtype. Throws DataError if the file holds something else than real numbers (the message says what), if
/// it is too short for the shape, or if the shape has more than 4 dimensions.
template <class Scalar>
const NpyDtype<Scalar>& checked_npy_dtype(const std::filesystem::path& path, const NpyHeader& header,
                                          std::uintmax_t data_bytes);

/// True if the bytes of each value are to be reversed on this host.
bool is_swapped(const NpyHeader& header);

/// The column, in C order, that the r-th run of n values of a Fortran-ordered array fills. Run r belongs to the r-th
/// combination of the indices after the first, of which the first varies fastest.
Index fortran_column(Index r, const std::vector<Index>& shape);

}  // namespace ansatz::detail
