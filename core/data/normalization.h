// Scaling of inputs, with statistics from the training rows only.
#pragma once

#include <string>
#include <vector>

#include "core/data/dataset.h"
#include "core/data/table_rows.h"

namespace ansatz {

enum class Normalization { none, unit_norm, standardize, min_max };

/// Scales the inputs of every part in place and adds a note. With m, s, low, high of each column over the training
/// rows:
///   unit_norm    x / |x| for each row; a row of zeros stays
///   standardize  (x - m) / s, s = sqrt(mean (x - m)^2); constant columns: x - m
///   min_max      (x - low) / (high - low); constant columns: x - low. Validation and test may leave [0, 1]
/// A column is constant if high - low is at most 4 epsilon of the larger magnitude: rounding, and nothing to divide by.
/// All of it is done in double. A synthetic task's truth speaks of the unscaled inputs, so scaling removes it (noted).
template <class Scalar>
void normalize(Split<Scalar>& split, Normalization kind);

/// The same for a table, whose values are scaled as the file has them, before they become the run's precision.
class TableScaling {
 public:
  /// Learns from those training rows. With fill_missing, NaN first becomes the mean of the column's other values;
  /// DataError naming a column that has none. Columns are named by `names`, or by their number where it is empty.
  TableScaling(const TableRows& train, const std::vector<Index>& rows, const std::vector<std::string>& names,
               Normalization kind, bool fill_missing);

  /// Rows of any part, in place.
  void apply(Matrix<double>& block) const;

  const std::vector<std::string>& notes() const { return notes_; }        ///< what is done, for the report
  const std::vector<std::string>& warnings() const { return warnings_; }  ///< what is to be said on the terminal, too

 private:
  using Row = Eigen::Array<double, 1, Eigen::Dynamic>;
  void learn_means(const TableRows& train, const std::vector<Index>& rows, const std::vector<std::string>& names);
  void fill(Matrix<double>& block) const;

  Normalization kind_;
  Row fill_;  ///< empty: nothing is missing
  Row shift_, scale_;
  std::vector<std::string> notes_, warnings_;
};

/// "\"age\"" of the names, or "3 (counted from 0)" where they are empty.
std::string column_in_words(const std::vector<std::string>& names, Index column);

}  // namespace ansatz
