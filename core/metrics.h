// How well a model predicts.
#pragma once

#include <optional>

#include "core/dataset.h"
#include "core/predictor.h"

namespace ansatz {

struct Metrics {
  std::optional<double> accuracy;  ///< classification: share of argmax hits (c = 1: prediction > 1/2)
  double mse = 0;                  ///< mean over samples and outputs
  double r2 = 0;                   ///< 1 - sum of squares / sum around the column means of these targets; NaN if those are constant
};

/// Throws DataError if shapes differ.
template <class Scalar>
Metrics evaluate(const Matrix<Scalar>& predictions, const Matrix<Scalar>& targets, Task task);

template <class Scalar>
Metrics evaluate(const Predictor<Scalar>& f, const Dataset<Scalar>& data);

/// True if `candidate` is at least as good as `best` as a validation result: accuracy for classification (ties: lower
/// mse; equal there too: the later), mse for regression.
bool at_least_as_good(const Metrics& candidate, const Metrics& best);

}  // namespace ansatz
