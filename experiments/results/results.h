// All that a comparison found, and how it is written down: arrays, metrics.json, the table on the terminal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/stages/comparison_stage.h"

namespace ansatz::experiments {

template <class Scalar>
struct Results {
  const Split<Scalar>* split = nullptr;
  std::optional<NetworkResult<Scalar>> network;
  std::optional<RfmResult<Scalar>> rfm;
  std::vector<KernelMachineResult> kernels;
  ComparisonResult<Scalar> comparison;
  double comparison_seconds = 0;
};

/// matrices/, predictions/ and models/ as options.save asks.
template <class Scalar>
void save_arrays(const FeatureComparisonOptions& options, const Results<Scalar>& results, const RunContext& run);

/// metrics.json, schema 1 (docs/outputs.md). Equal runs give equal text but for `timings`.
template <class Scalar>
Json metrics_json(const FeatureComparisonOptions& options, const Results<Scalar>& results);

/// Accuracies (or R²) of every model, then the correlations with the initial-weights baseline beside.
template <class Scalar>
std::string summary_table(const Results<Scalar>& results);

}  // namespace ansatz::experiments
