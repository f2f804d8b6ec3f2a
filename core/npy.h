// NumPy's .npy files, in and out.
#pragma once

#include <filesystem>
#include <vector>

#include "core/linalg.h"

namespace ansatz {

/// Any numeric array of up to 4 dimensions (bool, int8..int64, uint8..uint64, float16? no, float32, float64; little or big
/// endian; C or Fortran order) as n x (product of the rest); a 1-D array is n x 1.
/// Throws DataError: missing, wrong magic, truncated, object or complex dtype (each named).
struct NpyHeader {
  std::vector<Index> shape;
  std::string dtype;  ///< NumPy's descr, e.g. "<f4"
  bool fortran_order = false;
  bool is_integer() const;
};
NpyHeader read_npy_header(const std::filesystem::path& path);
template <class Scalar>
Matrix<Scalar> read_npy(const std::filesystem::path& path);

/// Writes C order, shape {rows, cols}, or {rows} for a Vector; whole or not at all (see write_file_atomically).
template <class Scalar>
void write_npy(const std::filesystem::path& path, const MatrixView<Scalar>& a);
template <class Scalar>
void write_npy(const std::filesystem::path& path, const Vector<Scalar>& a);

}  // namespace ansatz
