// Input rows that stay as they are stored, one byte a value for instance, until some of them are asked for.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/matrix.h"
#include "core/data/transform/input_transform.h"

namespace ansatz {

/// n rows of d numbers of some element type, in memory or in a memory-mapped .npy file. Rows become Scalars when they
/// are gathered, and only they: the numbers are those of the whole array cast to Scalar, to the bit. A value; copies
/// share the stored numbers. Safe to use from several threads at once.
template <class Scalar>
class StoredRows {
 public:
  StoredRows() = default;  ///< no rows

  /// Element: float, double, Eigen::half, or an integer of 8, 16 or 32 bits, signed or not.
  template <class Element>
  explicit StoredRows(std::shared_ptr<const Matrix<Element>> rows);
  /// Real numbers of any of NumPy's types; an array of more than two dimensions has rows of the product of all but the
  /// first. DataError as map_npy().
  static StoredRows npy(const std::filesystem::path& path);
  /// Those of these rows, in that order; the stored numbers are shared. A part of a part works, too.
  StoredRows chosen(const std::vector<Index>& rows) const;
  /// The same rows, each brought by `transform` to the form that models see, whenever it is gathered.
  StoredRows transformed(InputTransform transform) const;

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  const std::string& element() const { return element_; }  ///< NumPy's name of the element type: "u1", "f4"
  double bytes() const;                                    ///< of these rows' values, as they are stored
  /// Whether a gathered value is the stored one, bit by bit.
  bool stored_as_scalars() const;

  Matrix<Scalar> gather(const std::vector<Index>& rows) const;  ///< in that order
  Matrix<Scalar> middle_rows(Index first, Index count) const;

 private:
  /// Decodes rows row_of(0), ..., row_of(count - 1).
  template <class RowOf>
  Matrix<Scalar> decode(Index count, const RowOf& row_of) const;

  std::shared_ptr<const char> values_;
  std::shared_ptr<const std::vector<Index>> chosen_;  ///< which of the stored rows these are; null: the first rows_
  Index rows_ = 0, cols_ = 0;
  std::string element_;
  bool swapped_ = false;  ///< the bytes of each value are reversed
  std::shared_ptr<const InputTransform> transform_;
};

}  // namespace ansatz
