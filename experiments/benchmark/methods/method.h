// One interface for all methods of a benchmark: options are chosen on selection rows, then a fit predicts other rows.
#pragma once

#include <optional>
#include <string>

#include "core/base/cost.h"
#include "core/base/random.h"
#include "core/data/dataset.h"
#include "core/features/feature_matrix.h"
#include "core/record/tuning_record.h"

namespace ansatz::experiments {

/// What a method chose on the selection rows.
struct MethodChoice {
  TuningRecord tuning;  ///< what was tried, in the order of the search; chosen: the first of the best
  Index iteration = 0;  ///< of an RFM: the feature updates chosen
  /// The M of that iteration, learned from the fitting rows; none where nothing was learned (iteration 0, or a method
  /// without feature matrices). The protocol `authors` uses it in every fold.
  std::optional<FeatureMatrix<double>> features;
};

/// What a fit predicts for rows that it has not seen.
struct MethodFit {
  /// b x c, in the unit of the training targets. Of a classification: scores, one a class (one output of two classes:
  /// as the targets are), the largest of which is the class predicted.
  Matrix<double> predictions;
  std::optional<FeatureMatrix<double>> features;  ///< d x d, of the inputs as the method scales them; if it has any
};

/// Training rows, inputs and outputs of a fit.
struct FitSize {
  Index rows = 0, features = 0, outputs = 0;
};

/// A method with its options, all cells of them. Immutable; scaling of inputs and targets is the method's own and is
/// learned from the rows that it is given to fit. Data are as they are in the files: inputs unscaled, classification
/// targets one-hot 0/1. A long fit calls throw_if_interrupted() now and then; what cannot be fitted at all throws
/// NumericalError, or MemoryError.
class Method {
 public:
  virtual ~Method() = default;

  /// Tries every cell: fits `fit` and scores `selection`. Sees no other rows.
  virtual MethodChoice search(const Dataset<double>& fit, const Dataset<double>& selection,
                              const RandomStream& stream) const = 0;

  /// Fits the chosen options to `train` and predicts `inputs` (b x d). `keep_features`: with choice.features instead of
  /// an M learned anew from `train` (never asked of a choice without).
  virtual MethodFit fit_predict(const MethodChoice& choice, const Dataset<double>& train, const Matrix<double>& inputs,
                                bool keep_features, const RandomStream& stream) const = 0;

  virtual Index cells() const = 0;  ///< that search() tries
  /// Whether a choice may come with features, so that the protocols `clean` and `authors` are two methods.
  virtual bool learns_features() const { return false; }
  /// At most what all cells together cost on so many training rows, and what the largest of them holds at a time
  /// (working_bytes). For `ansatz plan` and for how many sets run at once.
  virtual Cost search_cost(const FitSize& size) const = 0;
  virtual Cost fit_cost(const FitSize& size) const = 0;  ///< of one fit_predict(), at most
};

}  // namespace ansatz::experiments
