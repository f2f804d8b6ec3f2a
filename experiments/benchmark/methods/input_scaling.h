// How a method scales the inputs of a table, learned from its training rows only.
#pragma once

#include <vector>

#include "core/config/config.h"
#include "core/data/transform/input_transform.h"

namespace ansatz::experiments {

/// - unit_norm: x / |x|, row by row.
/// - standardize: column by column to mean 0 and standard deviation 1 over the training rows.
/// - quantile_normal: column by column to the standard normal quantile of a value's rank among the training rows, as
///   scikit-learn's QuantileTransformer(output_distribution="normal") does.
enum class ScalingKind { none, unit_norm, standardize, quantile_normal };

/// The key `scaling`.
ScalingKind parse_scaling(const Config& section, const char* fallback);

/// A scaling that has been learned. NaN, a missing value, first becomes the mean of its column over the training rows.
class InputScaling {
 public:
  /// train: n x d. DataError on a column that cannot be scaled (no value in it; values near the end of double).
  InputScaling(ScalingKind kind, const Matrix<double>& train);

  Matrix<double> apply(Matrix<double> inputs) const;  ///< b x d

 private:
  InputTransform transform_;
  std::vector<Vector<double>> quantiles_;  ///< ascending, a column each; empty but for quantile_normal
};

}  // namespace ansatz::experiments
