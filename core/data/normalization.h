// Scaling of inputs, with statistics from the training rows only.
#pragma once

#include <string>
#include <vector>

#include "core/data/dataset.h"
#include "core/data/table_rows.h"
#include "core/data/transform/input_transform.h"

namespace ansatz {

/// Scales the inputs of every part in place, keeps how in split.transform, and adds a note. m, s, low and high are
/// mean, standard deviation, minimum and maximum of each column over the training rows:
/// - unit_norm: x / |x| for each row; a row of zeros stays as it is.
/// - standardize: (x - m) / s with s = sqrt(mean (x - m)^2); constant columns: x - m.
/// - min_max: (x - low) / (high - low); constant columns: x - low. Validation and test rows may leave [0, 1].
/// A column is constant if high - low is at most 4 epsilon of the larger magnitude, which is only rounding and must not
/// be divided by. Everything is computed in double. The truth of a synthetic task describes the unscaled inputs, so
/// scaling removes it (and notes that).
template <class Scalar>
void normalize(Split<Scalar>& split, Normalization kind);

/// The same for a table. Its values are scaled in the precision of the file, before they are rounded to the run's.
class TableScaling {
 public:
  /// Learns the scaling from these training rows. With fill_missing, NaN first becomes the mean of the column's other
  /// values; DataError names a column that has none. Messages name columns by `names`, or by number if it is empty.
  TableScaling(const TableRows& train, const std::vector<Index>& rows, const std::vector<std::string>& names,
               Normalization kind, bool fill_missing);

  /// To be applied to rows of any part.
  const InputTransform& transform() const { return transform_; }
  const std::vector<std::string>& notes() const { return notes_; }        ///< what is done, for the report
  const std::vector<std::string>& warnings() const { return warnings_; }  ///< for the terminal, too

 private:
  void learn_means(const TableRows& train, const std::vector<Index>& rows, const std::vector<std::string>& names);

  InputTransform transform_;
  std::vector<std::string> notes_, warnings_;
};

/// The column's name in quotes, such as "\"age\"", or "3 (counted from 0)" if `names` is empty.
std::string column_in_words(const std::vector<std::string>& names, Index column);

}  // namespace ansatz
