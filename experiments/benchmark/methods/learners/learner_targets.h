// The targets of training rows in the form that learners are given, and the way back.
#pragma once

#include <vector>

#include "core/data/dataset.h"
#include "experiments/benchmark/methods/target_form.h"

namespace ansatz::experiments {

/// A regression's are brought to their form by TargetForm. Of a classification (one-hot columns, or one column that is
/// 0 or 1), only the classes that occur in the training rows have a column, in the order of the classes.
class LearnerTargets {
 public:
  LearnerTargets(TargetTransform transform, const Dataset<double>& train);

  Matrix<double> apply(const Matrix<double>& targets) const;      ///< n x c to n x k; 0 where a class did not occur
  Matrix<double> undo(const Matrix<double>& predicted) const;     ///< b x k to b x c; 0 for classes that did not occur
  std::vector<Index> known(const Matrix<double>& targets) const;  ///< rows whose class occurs; all of a regression
  Matrix<double> mean(Index rows) const;                          ///< rows x c: that of the training targets in each

 private:
  TargetForm form_;
  Eigen::Matrix<double, 1, Eigen::Dynamic> mean_;  ///< c
  bool classes_, one_column_;
  std::vector<Index> occurring_;  ///< classes, ascending
};

}  // namespace ansatz::experiments
