// NumPy's .npy files, in and out.
#pragma once

#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

struct NpyHeader {
  std::vector<Index> shape;  ///< empty for a single number
  std::string dtype;         ///< NumPy's descr, e.g. "<f4"
  bool fortran_order = false;
  bool is_integer() const;  ///< bool counts as integer
  double rounding() const;  ///< relative rounding of the floating-point type; that of float64 for integers
  Index rows() const;       ///< of the matrix read_npy makes: shape[0], or 1
  Index cols() const;       ///< the product of the other dimensions, or 1
};

/// Throws DataError if the file is missing, has the wrong magic, or a header that NumPy could not have written.
NpyHeader read_npy_header(const std::filesystem::path& path);

/// Reads any numeric array of up to 4 dimensions (bool, int8..int64, uint8..uint64, float16, float32, float64; little
/// or big endian; C or Fortran order) as a matrix of n rows by the product of the other dimensions; a 1-D array is n x
/// 1. Values are cast to Scalar as they are read, in small pieces. Throws DataError, with the cause, if the file is
/// missing, has the wrong magic, is truncated, or has an object, text or complex dtype.
template <class Scalar>
Matrix<Scalar> read_npy(const std::filesystem::path& path);

/// Writes C order, shape {rows, cols}; whole or not at all (see write_file_atomically). Call as write_npy<Scalar>(path,
/// a), or write_npy(path, a) for a Matrix. The bytes are those of numpy.save.
template <class Scalar>
void write_npy(const std::filesystem::path& path, const MatrixView<Scalar>& a);

namespace detail {
template <class Scalar>
void write_npy_vector(const std::filesystem::path& path, const Vector<Scalar>& a);
}  // namespace detail

/// A Vector: shape {rows}.
template <class Scalar, class V, std::enable_if_t<std::is_same_v<V, Vector<Scalar>>, int> = 0>
void write_npy(const std::filesystem::path& path, const V& a) {
  detail::write_npy_vector<Scalar>(path, a);
}

/// Scalar taken from a Matrix or Vector.
template <class A,
          std::enable_if_t<
              std::is_same_v<A, Vector<typename A::Scalar>> || std::is_same_v<A, Matrix<typename A::Scalar>>, int> = 0>
void write_npy(const std::filesystem::path& path, const A& a) {
  write_npy<typename A::Scalar>(path, a);
}

}  // namespace ansatz
