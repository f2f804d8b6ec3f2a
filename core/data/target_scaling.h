// Regression targets brought to mean 0 and standard deviation 1, and predictions brought back.
#pragma once

#include <string>
#include <vector>

#include "core/base/matrix.h"
#include "core/data/table_rows.h"

namespace ansatz {

enum class TargetNormalization {
  none,
  standardize,
  automatic  ///< standardize, unless every column is near mean 0 and standard deviation 1 already
};

/// A data set stores its targets as (y - mean) / sd, column by column; models predict them so. Whoever shows a
/// prediction or an error brings it back to the unit of y. Mean and standard deviation (of n, not n - 1) are those of
/// the training rows, in double; a column that is constant there has sd 1.
struct TargetScaling {
  Vector<double> mean, sd;  ///< c each; empty: the targets are as they came

  bool scales() const { return mean.size() > 0; }
  /// Whether every column came with a mean of at most half its standard deviation and a standard deviation from 1/2 to
  /// 2: as models expect it, and M changes by less than a factor of 4.
  bool near_standard() const;
  /// Rows of y, n x c, in place: from the file's unit to the one that models see.
  void apply(Matrix<double>& targets) const;
  /// n x c values that models see or predict, in the unit of y.
  template <class Scalar>
  Matrix<Scalar> to_original(const Matrix<Scalar>& values) const;
  /// The sum of squares, in the unit of y, of differences of two such values (rows of c): the mean drops out.
  template <class Differences>
  double squared_norm(const Eigen::MatrixBase<Differences>& differences) const {
    return scales() ? (differences * sd.asDiagonal()).squaredNorm() : differences.squaredNorm();
  }
  /// Whether outputs have units of their own: their errors can then be added up in the unit of the models only.
  bool several_units() const { return mean.size() > 1; }
  /// The sum of squares of such differences by which models are chosen: in the unit of y, or, of several outputs that
  /// were scaled, in that of the models, where each counts the same.
  template <class Differences>
  double comparable_squared_norm(const Eigen::MatrixBase<Differences>& differences) const {
    return several_units() ? differences.squaredNorm() : squared_norm(differences);
  }
  /// "targets standardised by mean 545.1 and standard deviation 118.2 of the training rows"; "" where nothing is
  /// scaled. Of several columns it also says what that means for scores.
  std::string in_words() const;

  bool operator==(const TargetScaling& o) const {
    return mean.size() == o.mean.size() && sd.size() == o.sd.size() && mean == o.mean && sd == o.sd;
  }
};

/// Learns the scaling, as asked for, from these training rows (n x c numbers). Messages name columns by `names`, or by
/// number if it is empty. Throws DataError naming a column whose values are too large to be added up; appends to
/// `warnings` what is to be said of columns that differ by rounding only.
TargetScaling learn_target_scaling(TargetNormalization normalization, const TableRows& targets,
                                   const std::vector<Index>& rows, const std::vector<std::string>& names,
                                   std::vector<std::string>& warnings);

/// A sentence about targets (n x c) of which a column has a mean far from 0 or a standard deviation far from 1 (more
/// than 2 deviations; beyond a factor of 10): kernel machines and networks without biases fit them badly. "" if there
/// is none.
std::string unit_warning(const Matrix<double>& targets);

}  // namespace ansatz
