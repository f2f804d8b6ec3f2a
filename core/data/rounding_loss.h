// What columns of doubles lose when they are rounded to float32.
#pragma once

#include "core/data/table_rows.h"

namespace ansatz {

/// Takes a table block by block and then says what was lost. `overall` is computed from all rows, `local` from a
/// sample.
class RoundingLoss {
 public:
  RoundingLoss(Index rows, Index columns);

  /// Adds the rows first, first + 1, ...: their values, and the rounded values as doubles.
  void add(Index first, const Matrix<double>& values, const Matrix<double>& rounded);

  /// `epsilon` is that of the values; a column that varies by only a few units of it is constant (see normalization.h).
  RoundingShare share(double epsilon) const;

 private:
  using Row = Eigen::Array<double, 1, Eigen::Dynamic>;
  double overall(Index column, double epsilon) const;
  double local(Index column, double epsilon) const;

  Row origin_;  // the first row: differences to it lose few digits
  Row value_, value_square_, error_, error_square_, largest_;
  double count_ = 0;
  Index stride_, sampled_ = 0;            // every stride-th row is kept
  Matrix<double> sample_, sample_error_;  // up to `sampled_` rows
};

}  // namespace ansatz
