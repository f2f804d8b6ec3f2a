// How well a model predicts.
#pragma once

#include <optional>
#include <string>

#include "core/data/dataset.h"
#include "core/features/predictor.h"

namespace ansatz {

struct Metrics {
  std::optional<double> accuracy;  ///< classification: share of rows whose class is right (core/data/class_coding.h)
  double mse = 0;                  ///< mean over samples and outputs
  /// 1 - sum of squared errors / sum of squared deviations of these targets from their column means, both pooled over
  /// the outputs; NaN if all columns are constant.
  double r2 = 0;
};

/// "accuracy 84.50 %" or "R² 0.9921", for people.
std::string describe(const Metrics& metrics);

/// predictions and targets n x c, in one unit; sums in double. `class_codes` (classes x c): targets are its rows;
/// empty: one-hot. Throws DataError if shapes differ or there are no samples, NumericalError if predictions are not
/// finite.
template <class Scalar>
Metrics evaluate(const Matrix<Scalar>& predictions, const Matrix<Scalar>& targets, Task task,
                 const Matrix<Scalar>& class_codes = {});
/// The same with the targets, task and codes of `data`; errors are measured in the unit that its targets came in
/// (core/data/target_scaling.h).
template <class Scalar>
Metrics evaluate(const Matrix<Scalar>& predictions, const Dataset<Scalar>& data);
template <class Scalar>
Metrics evaluate(const Predictor<Scalar>& f, const Dataset<Scalar>& data);

/// Whether the later result `candidate` on the validation set is at least as good as `best`. Classification is judged
/// by accuracy and then by mse, regression by mse; if all are equal, the later one wins.
bool at_least_as_good(const Metrics& candidate, const Metrics& best);

}  // namespace ansatz
