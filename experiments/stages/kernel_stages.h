// The kernel machines of a comparison: the RFM, iteration by iteration, and the fixed kernels beside it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/record/run_record.h"
#include "experiments/options/options.h"
#include "experiments/stages/run_context.h"

namespace ansatz::experiments {

template <class Scalar>
struct RfmResult {
  rfm::RfmTrace<Scalar> trace;
  Matrix<Scalar> test_predictions;  ///< of the reported iteration, n_test x c
  /// The iteration whose M stands for "the features the RFM learned": the reported one, or 1 if that is the plain
  /// kernel.
  Index feature_iteration() const;
  FeatureId feature_id() const;  ///< of its M
  const FeatureMatrix<Scalar>& features() const;
};

/// Saves every iteration to state/ and goes on from there.
template <class Scalar>
RfmResult<Scalar> run_rfm(const rfm::RfmOptions& options, const Split<Scalar>& split, const RunContext& run);

/// Of a fixed kernel: its state, and the random stream that it draws from.
std::string kernel_stage(const KernelMachineOptions& options);

/// May write a machine that has been fitted, and its predictions on the test rows (n_test x c, none without test rows),
/// into the run's folder; afterwards the machine is gone.
template <class Scalar>
using MachineSaver = std::function<void(const rfm::KernelMachine<Scalar>&, const Matrix<Scalar>& test_predictions)>;

/// What the machine of options.kernel on the metric M (d x d) came to. `save` may be empty.
template <class Scalar>
KernelMachineRecord run_kernel_machine(const KernelMachineOptions& options, const FeatureMatrix<Scalar>& metric,
                                       const MachineSaver<Scalar>& save, const Split<Scalar>& split,
                                       const RunContext& run);

}  // namespace ansatz::experiments
