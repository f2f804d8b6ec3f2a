// Some rows of a .npy file, without holding the whole array.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "core/files/files.h"
#include "core/files/npy.h"

namespace ansatz {

/// An open .npy file whose rows are read as they are asked for. Copies share the file; not for several threads at once.
class NpyRows {
 public:
  /// Throws DataError as read_npy does.
  explicit NpyRows(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return file_->path(); }
  const NpyHeader& header() const { return header_; }

  /// Reads the rows rows[0] < rows[1] < ... < rows[count - 1]. The length of a row is the product of all dimensions but
  /// the first. T is double; for integers also std::int64_t or, if they are unsigned of 64 bits, std::uint64_t, which
  /// keep every digit.
  template <class T>
  void read(const Index* rows, Index count, Matrix<T>& out) const;

 private:
  template <class T>
  void read_piece(const Index* rows, Index count, T* out) const;
  template <class T>
  void read_values(Index first, Index count, std::vector<char>& bytes, T* out) const;

  std::shared_ptr<InputFile> file_;
  NpyHeader header_;
  std::uintmax_t begin_ = 0;  ///< of the first value
};

/// The difference between 1 and the next number of the file's floating-point type; 0 for integers, which are exact.
double epsilon_of(const NpyHeader& header);

}  // namespace ansatz
