// Rows of a table in the form that kernel machines are fitted to, learned from the training rows.
#pragma once

#include "core/features/predictor.h"
#include "experiments/benchmark/methods/input_scaling.h"
#include "experiments/benchmark/methods/target_form.h"

namespace ansatz::experiments {

/// Training rows scaled as the options say, and how.
template <class Scalar>
struct ScaledRows {
  InputScaling inputs;
  TargetForm targets;
  Dataset<Scalar> train;

  ScaledRows(ScalingKind scaling, TargetTransform transform, const Dataset<double>& rows)
      : inputs(scaling, rows.inputs), targets(transform, rows), train(scaled(rows)) {}

  /// Other rows, in the same way.
  Dataset<Scalar> scaled(const Dataset<double>& rows) const {
    Dataset<Scalar> out;
    out.inputs = inputs.apply(rows.inputs).template cast<Scalar>();
    out.targets = targets.apply(rows.targets).template cast<Scalar>();
    out.task = rows.task;
    out.class_names = rows.class_names;
    out.target_scaling = targets.scaling();
    out.feature_names = rows.feature_names;
    out.column_groups = rows.column_groups;
    return out;
  }

  /// What a model of scaled rows says of unscaled ones (b x d), in the targets' own unit.
  Matrix<double> predicted(const Predictor<Scalar>& model, const Matrix<double>& unscaled) const {
    const Matrix<Scalar> asked = inputs.apply(unscaled).template cast<Scalar>();
    return targets.undo(model.predict(asked).template cast<double>());
  }
};

}  // namespace ansatz::experiments
