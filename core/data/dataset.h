// Samples and targets in the form that all later code takes them (by const reference).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/matrix.h"
#include "core/data/target_scaling.h"
#include "core/data/transform/input_transform.h"
#include "core/features/feature_matrix.h"

namespace ansatz {

enum class Task { regression, classification };

/// The shape of an image that is stored as a row of inputs: flattened channel, row, column; d = channels * height *
/// width.
struct ImageShape {
  Index channels = 1, height = 0, width = 0;
  Index size() const { return channels * height * width; }
  bool operator==(const ImageShape& o) const {
    return channels == o.channels && height == o.height && width == o.width;
  }
};

/// Columns [first, first + width) of the inputs that come from one variable.
struct ColumnGroup {
  std::string name;
  Index first = 0, width = 1;
  bool one_hot = false;  ///< a categorical variable, one column a category
  bool operator==(const ColumnGroup& o) const {
    return name == o.name && first == o.first && width == o.width && one_hot == o.one_hot;
  }
};

/// n samples as rows. Classification targets are one-hot 0/1 (n x classes), or rows of `class_codes`
/// (core/data/class_coding.h); regression targets n x c.
template <class Scalar>
struct Dataset {
  Matrix<Scalar> inputs;   ///< n x d
  Matrix<Scalar> targets;  ///< n x c, as models see them
  Task task = Task::regression;
  std::vector<std::string> class_names;  ///< one a class; empty for regression
  Matrix<Scalar> class_codes;            ///< classes x c: targets are its rows; empty: one-hot targets, or regression
  TargetScaling target_scaling;          ///< from the targets' own unit to `targets`; scales nothing but regression
  std::optional<ImageShape> image_shape;
  std::vector<std::string> feature_names;  ///< d, where the inputs have names of their own; or empty
  std::vector<ColumnGroup> column_groups;  ///< all d columns in order, where the variables are known (csv); or empty
  std::vector<Index>
      source_rows;  ///< n: which of the set's own list each sample is, where that is known (celeba); or empty

  Index size() const { return inputs.rows(); }
  Index dimension() const { return inputs.cols(); }
  Index outputs() const { return targets.cols(); }
  bool empty() const { return inputs.rows() == 0; }
  Dataset rows(const std::vector<Index>& indices) const;  ///< copies those samples, in that order
};

/// What is known exactly about a synthetic task.
template <class Scalar>
struct GroundTruth {
  Matrix<Scalar> subspace;  ///< r x d, orthonormal rows spanning the directions the target depends on
  /// E[grad f grad f^T] (d x d), exact, almost everywhere: of a target that jumps it leaves the jump's direction out,
  /// which a model that has learned the target does look at. The subspace has it.
  FeatureMatrix<Scalar> expected_agop;
  double target_variance = 0;  ///< Var f*(x) without label noise
  std::string description;     ///< the target and the input distribution in symbols
};

template <class Scalar>
struct Split {
  Dataset<Scalar> train, validation, test;  ///< validation may be empty
  InputTransform transform;                 ///< what made the inputs of all three
  std::optional<GroundTruth<Scalar>> truth;
  std::vector<std::string>
      notes;  ///< what was done to the data, in words, for the report (normalisation, dropped rows)
};

/// Throws DataError unless shapes agree, all values are finite, n >= 2 in train, one-hot rows are one-hot, at least two
/// classes occur in train, train/validation/test have the same d and c and target scaling, image_shape, feature_names
/// and column_groups (if any) fit d, and source_rows (if any) n.
template <class Scalar>
void validate(const Split<Scalar>& split);

}  // namespace ansatz
