// Fits every cell of a grid of options and takes the one that predicts the validation rows best.
#pragma once

#include <functional>

#include "core/record/tuning_record.h"
#include "experiments/options/tune_options.h"
#include "experiments/stages/run_context.h"

namespace ansatz::experiments {

/// Each cell is fitted on the training rows as a run with these values alone would fit it, and scored on the validation
/// rows; a cell that ends in a numerical failure is said and not chosen. Test rows are not looked at. Finished cells
/// are in state/ and not fitted again. Cells of a kernel machine that differ in ridge and solver only share K; those of
/// an RFM share what RfmFamily does.
/// `metric_of`: M of a kernel machine (asked only where one is tuned). NumericalError if every cell fails.
template <class Scalar>
TuningRecord tune_model(const TuneOptions& tune, const std::function<FeatureMatrix<Scalar>(Metric)>& metric_of,
                        const Split<Scalar>& split, const RunContext& run);

}  // namespace ansatz::experiments
