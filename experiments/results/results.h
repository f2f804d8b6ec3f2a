// All that the stages of a comparison made: written down as arrays, and as the run's record.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/record/run_record.h"
#include "experiments/stages/comparison_stage.h"

namespace ansatz::experiments {

template <class Scalar>
struct Results {
  const Split<Scalar>* split = nullptr;
  std::optional<NetworkResult<Scalar>> network;
  std::optional<RfmResult<Scalar>> rfm;
  std::vector<KernelMachineRecord> kernels;
  std::optional<TuningRecord> tuning;
  ComparisonResult<Scalar> comparison;
  double comparison_seconds = 0;
};

/// matrices/, predictions/ and models/ as options.save asks.
template <class Scalar>
void save_arrays(const FeatureComparisonOptions& options, const Results<Scalar>& results, const RunContext& run);

/// What save_arrays leaves of a kernel machine beside the RFM: its predictions, and the machine itself.
template <class Scalar>
void save_kernel_machine(const std::string& label, const rfm::KernelMachine<Scalar>& machine,
                         const Matrix<Scalar>& test_predictions, const FeatureComparisonOptions& options,
                         const Split<Scalar>& split, const RunContext& run);

/// All of it but `data.digest`.
template <class Scalar>
RunRecord record_of(const FeatureComparisonOptions& options, const Results<Scalar>& results);

}  // namespace ansatz::experiments
