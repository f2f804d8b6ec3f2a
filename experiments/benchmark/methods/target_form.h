// The form of the targets that a method is fitted to, learned from its training rows only, and the way back.
#pragma once

#include "core/config/config.h"
#include "core/data/dataset.h"

namespace ansatz::experiments {

enum class TargetTransform {
  none,
  signed_log  ///< sign(y) log(1 + |y|)
};

/// The key `target_transform`.
TargetTransform parse_target_transform(const Config& section);

/// Classes stay as they are, one-hot 0/1. The targets of a regression are transformed if asked for, then brought to
/// mean 0 and standard deviation 1 over the training rows (a constant column to 0).
class TargetForm {
 public:
  TargetForm(TargetTransform transform, const Dataset<double>& train);

  Matrix<double> apply(Matrix<double> targets) const;          ///< n x c, from their own unit
  Matrix<double> undo(const Matrix<double>& predicted) const;  ///< b x c, to it
  const TargetScaling& scaling() const { return scaling_; }    ///< without the logarithm

 private:
  bool signed_log_ = false;
  TargetScaling scaling_;
};

}  // namespace ansatz::experiments
