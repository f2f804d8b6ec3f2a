// How well a model predicts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/data/dataset.h"
#include "core/features/predictor.h"

namespace ansatz {

/// What a network is trained on, and with it what its outputs are for.
enum class Loss {
  mse,           ///< mean over samples and outputs of the squared error
  cross_entropy  ///< mean over samples of -log softmax(outputs)[class], in nats; one output a class, one-hot targets
};

struct Metrics {
  std::optional<double> accuracy;  ///< classification: share of rows whose class is right (core/data/class_coding.h)
  double mse = 0;                  ///< mean over samples and outputs, in the unit that the targets came in
  /// 1 - sum of squared errors / sum of squared deviations of these targets from their column means, both pooled over
  /// the outputs; NaN if all columns are constant. Of several outputs that were standardised, which had units of their
  /// own, it is the mean of r2_by_output over those that are not constant.
  double r2 = 0;
  /// Of a model whose outputs are logits. Its squared error would say nothing: mse and r2 are then NaN.
  std::optional<double> cross_entropy = {};
  /// Of several outputs that were standardised: the mean over samples and outputs in the unit that models see, that is
  /// the mean over the outputs of their mean squared error / their variance over the training rows.
  std::optional<double> standardized_mse = {};
  std::vector<double> r2_by_output = {};  ///< of a regression on several outputs; NaN of a constant one

  /// What regressions are chosen by, the least first.
  double selection_error() const { return standardized_mse.value_or(mse); }
  double loss() const { return cross_entropy ? *cross_entropy : mse; }
};

/// "accuracy 84.50 %" or "R² 0.9921", for people.
std::string describe(const Metrics& metrics);

/// predictions and targets n x c, in one unit; sums in double. `class_codes` (classes x c): targets are its rows;
/// empty: one-hot. Throws DataError if shapes differ or there are no samples, NumericalError if predictions are not
/// finite, ConfigError naming `loss` if that is cross_entropy and the targets are not one-hot with a column for each
/// class.
template <class Scalar>
Metrics evaluate(const Matrix<Scalar>& predictions, const Matrix<Scalar>& targets, Task task,
                 const Matrix<Scalar>& class_codes = {}, Loss loss = Loss::mse);
/// The same with the targets, task and codes of `data`; errors are measured in the unit that its targets came in
/// (core/data/target_scaling.h).
template <class Scalar>
Metrics evaluate(const Matrix<Scalar>& predictions, const Dataset<Scalar>& data, Loss loss = Loss::mse);
template <class Scalar>
Metrics evaluate(const Predictor<Scalar>& f, const Dataset<Scalar>& data, Loss loss = Loss::mse);

/// Whether the later result `candidate` on the validation set is at least as good as `best`. Classification is judged
/// by accuracy and then by the loss, regression by standardized_mse or, without it, by mse; if all are equal, the later
/// one wins.
bool at_least_as_good(const Metrics& candidate, const Metrics& best);

}  // namespace ansatz
