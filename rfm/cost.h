// Estimates, before fitting, of what kernel machines and the RFM will cost: for `ansatz plan`.
#pragma once

#include "core/base/cost.h"
#include "rfm/rfm.h"

namespace ansatz::rfm {

/// The cost of fitting a kernel machine to size.points rows of size.width inputs, with `free_bytes` of memory free.
Cost fit_cost(const KernelSpec& kernel, const SolverOptions& solver, const SystemSize& size, std::size_t scalar_bytes,
              double free_bytes);

/// All T + 1 solves of an RFM, and its T feature updates.
struct RfmCost {
  Cost solves, updates;
};
RfmCost rfm_cost(const RfmOptions& options, const SystemSize& size, std::size_t scalar_bytes, double free_bytes);

}  // namespace ansatz::rfm
