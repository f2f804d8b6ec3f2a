#include "experiments/paper/thresholded_rfm.h"

#include <fmt/format.h>

#include <utility>

#include "experiments/paper/image_regions.h"
#include "experiments/results/score_findings.h"

namespace ansatz::experiments {

ThresholdedRfm retrain_on(std::vector<Index> coordinates, const Part& part, const Models& models,
                          const std::string& label, const RunContext& run) {
  const KernelMachineOptions machine{label, Metric::identity, part.options.rfm->kernel, part.options.rfm->solver};
  ColumnsFit fit = models.fit_on_columns(machine, coordinates, part.options.dataset.normalize, run);
  return {std::move(coordinates), percent(fit.machine.metrics.test), std::move(fit.right)};
}

ThresholdedRfm threshold_rfm(const Vector<double>& diagonal, double threshold, const Part& part, const Models& models,
                             const RunContext& run) {
  return retrain_on(coordinates_above(diagonal, threshold), part, models, fmt::format("rfm_t_{}", threshold), run);
}

}  // namespace ansatz::experiments
