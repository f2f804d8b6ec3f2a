#include "experiments/tuning_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/machine/memory.h"
#include "rfm/rfm_family.h"

namespace ansatz::experiments {
namespace {

/// Stages of the tuned model, as plan_feature_comparison() names them.
bool is_tuned(const PlannedStage& stage, const TuneOptions& tune) {
  switch (tune.kind) {
    case TunedModel::network:
      return stage.name == "network training";
    case TunedModel::rfm:
      return stage.name.compare(0, 4, "rfm:") == 0;
    case TunedModel::kernel_machine:
      break;
  }
  return stage.name == "kernel machine " + tune.model();
}

/// Held beside what a fit takes: kernel values of the validation rows, or, for an RFM, rows without the test rows and
/// what the family keeps.
double bytes_beside(const TuneOptions& tune, const DatasetSize& size, std::size_t scalar_bytes) {
  const auto n = static_cast<double>(size.train), validation = static_cast<double>(size.validation);
  const auto scalar = static_cast<double>(scalar_bytes);
  if (tune.kind == TunedModel::kernel_machine) return scalar * validation * n;
  if (tune.kind != TunedModel::rfm) return 0;
  const Index kernels = different(tune, [](const auto& cell) { return cell.rfm->kernel; });
  return scalar * (n + validation) * static_cast<double>(size.dimension) +
         rfm::kept_matrices(size.train, size.validation, scalar_bytes, kernels, available_memory()).bytes;
}

}  // namespace

Plan plan_tuned(const FeatureComparisonOptions& base, const TuneOptions& tune) {
  Plan largest = plan_feature_comparison(base);
  if (largest.size.validation == 0)
    throw ConfigError(
        "tune: values are chosen on validation rows, and there are none: set dataset.validation_size or "
        "dataset.validation_fraction");
  PlannedStage all{fmt::format("tune {}: {} cells", tune.model(), tune.cells.size()), {"each as below", ""}};
  double most = -1;
  for (const FeatureComparisonOptions& cell : tune.cells) {
    const Plan plan = plan_feature_comparison(cell, largest.size);
    double bytes = 0;
    for (const PlannedStage& stage : plan.stages) {
      if (!is_tuned(stage, tune)) continue;
      all.cost.flops += stage.cost.flops;
      bytes += stage.cost.working_bytes + stage.cost.kept_bytes;
    }
    all.cost.working_bytes = std::max(all.cost.working_bytes, bytes);
    if (plan.flops() <= most) continue;
    most = plan.flops();
    largest = plan;
  }
  all.cost.working_bytes +=
      bytes_beside(tune, largest.size, base.common.precision == Precision::float32 ? sizeof(float) : sizeof(double));
  if (tune.kind == TunedModel::kernel_machine) all.cost.reason = "at most: cells that differ in the ridge share K";
  if (tune.kind == TunedModel::rfm) all.cost.reason = "at most: cells share iteration 0";
  largest.stages.insert(largest.stages.begin() + 1, std::move(all));  // after the data
  return largest;
}

}  // namespace ansatz::experiments
