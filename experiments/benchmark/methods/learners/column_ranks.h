// Columns as trees look at them: by the order of their values alone.
#pragma once

#include <vector>

#include "core/base/matrix.h"

namespace ansatz::experiments {

/// Takes each value to its place 0, 1, … among the different values of its column in the training rows. A tree splits
/// between two such places as it splits between the values, and nothing is lost in float32, which tree libraries take:
/// columns of large numbers that differ little, and of small ones, which OpenCV holds for equal if they differ by less
/// than 2.4e-7, keep all their values. Columns that are constant in the training rows are left out.
class ColumnRanks {
 public:
  explicit ColumnRanks(const Matrix<double>& train);  ///< n x d, finite

  /// b x columns(). A value between two training values lies at a quarter or at three quarters of the way, on its side
  /// of their middle; those outside lie at -1 and one after the last.
  Matrix<float> apply(const Matrix<double>& inputs) const;
  Index columns() const { return static_cast<Index>(columns_.size()); }

 private:
  struct Column {
    Index index = 0;             ///< in the inputs
    std::vector<double> values;  ///< different ones, ascending
  };
  std::vector<Column> columns_;
};

}  // namespace ansatz::experiments
