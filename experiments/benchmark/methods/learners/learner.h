// Methods that are no kernel machines: what each of them is, in one interface.
#pragma once

#include "core/base/cost.h"
#include "core/base/random.h"
#include "core/data/dataset.h"
#include "experiments/benchmark/methods/method.h"

namespace ansatz::experiments {

/// What a fit to some rows predicts for others.
struct LearnerFit {
  Matrix<double> predictions;  ///< b x c, as the targets are: shares or probabilities of classes, or numbers
  /// For learners that go in steps (a network's epochs, rounds of boosting): that many did best on the selection rows.
  /// 0: the learner has no steps, or none were chosen.
  Index steps = 0;
};

/// A learner with its options. It is given rows from which there is something to learn: at least two that differ, and
/// at least two classes or numbers. Inputs are scaled and finite; targets of a classification are one-hot over the
/// classes that occur (two or more), those of a regression have mean 0 and standard deviation 1. The same rows and
/// stream give the same bytes for any number of threads, except for networks, where the number of threads counts, too.
class Learner {
 public:
  virtual ~Learner() = default;

  /// Fits `fit` and predicts `selection`, after as many steps as do best there. Of a learner without steps that is
  /// fit_predict().
  virtual LearnerFit select(const Dataset<double>& fit, const Dataset<double>& selection,
                            const RandomStream& stream) const {
    return {fit_predict(fit, selection.inputs, 0, stream), 0};
  }

  /// Fits `train` in that many steps (0: as many as the options say) and predicts `inputs`. Throws Interrupted.
  virtual Matrix<double> fit_predict(const Dataset<double>& train, const Matrix<double>& inputs, Index steps,
                                     const RandomStream& stream) const = 0;

  virtual Cost fit_cost(const FitSize& size) const = 0;  ///< of one fit, at most
};

}  // namespace ansatz::experiments
