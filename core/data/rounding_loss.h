// What columns of doubles lose where they become float32.
#pragma once

#include "core/data/table_rows.h"

namespace ansatz {

/// Sees a table block by block and then says what was lost. The moments are those of all rows.
class RoundingLoss {
 public:
  RoundingLoss(Index rows, Index columns);

  /// Rows first, first + 1, ... : the values and what became of them, as doubles again.
  void add(Index first, const Matrix<double>& values, const Matrix<double>& rounded);

  /// `epsilon`: of the values; a column that varies by a few units of it is constant (core/data/normalization.h).
  RoundingShare share(double epsilon) const;

 private:
  using Row = Eigen::Array<double, 1, Eigen::Dynamic>;
  double overall(Index column, double epsilon) const;
  double local(Index column, double epsilon) const;

  Row origin_;  // the first row, about which few digits cancel
  Row value_, value_square_, error_, error_square_, largest_;
  double count_ = 0;
  Index stride_, sampled_ = 0;            // every stride-th row is kept
  Matrix<double> sample_, sample_error_;  // up to `sampled_` rows
};

}  // namespace ansatz
