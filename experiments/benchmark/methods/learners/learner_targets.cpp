#include "experiments/benchmark/methods/learners/learner_targets.h"

namespace ansatz::experiments {
namespace {

/// A column a class.
Matrix<double> class_columns(const Matrix<double>& targets) {
  if (targets.cols() > 1) return targets;
  Matrix<double> both(targets.rows(), 2);
  both.col(1) = targets;
  both.col(0) = 1.0 - targets.array();
  return both;
}

}  // namespace

LearnerTargets::LearnerTargets(TargetTransform transform, const Dataset<double>& train)
    : form_(transform, train),
      mean_(train.targets.colwise().mean()),
      classes_(train.task == Task::classification),
      one_column_(train.outputs() == 1) {
  if (!classes_) return;
  const Matrix<double> columns = class_columns(train.targets);
  for (Index c = 0; c < columns.cols(); ++c)
    if (columns.col(c).maxCoeff() > 0) occurring_.push_back(c);
}

Matrix<double> LearnerTargets::apply(const Matrix<double>& targets) const {
  if (!classes_) return form_.apply(targets);
  const Matrix<double> columns = class_columns(targets);
  Matrix<double> seen(targets.rows(), static_cast<Index>(occurring_.size()));
  for (Index k = 0; k < seen.cols(); ++k) seen.col(k) = columns.col(occurring_[static_cast<std::size_t>(k)]);
  return seen;
}

Matrix<double> LearnerTargets::undo(const Matrix<double>& predicted) const {
  if (!classes_) return form_.undo(predicted);
  if (one_column_) return predicted.rightCols(1);
  Matrix<double> scores = Matrix<double>::Zero(predicted.rows(), mean_.cols());
  for (Index k = 0; k < predicted.cols(); ++k) scores.col(occurring_[static_cast<std::size_t>(k)]) = predicted.col(k);
  return scores;
}

std::vector<Index> LearnerTargets::known(const Matrix<double>& targets) const {
  std::vector<Index> rows;
  const Matrix<double> seen = apply(targets);
  for (Index i = 0; i < targets.rows(); ++i)
    if (!classes_ || seen.row(i).maxCoeff() > 0) rows.push_back(i);
  return rows;
}

Matrix<double> LearnerTargets::mean(Index rows) const { return mean_.replicate(rows, 1); }

}  // namespace ansatz::experiments
