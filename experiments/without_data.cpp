#include "experiments/without_data.h"

#include <utility>

#include "core/files/files.h"

namespace ansatz::experiments {

PreparedExperiment prepare_without_data(const CommonOptions& common, const Expectations& expectations,
                                        std::function<Plan()> plan,
                                        std::function<ExperimentSummary(const RunContext&)> run) {
  PreparedExperiment prepared;
  prepared.plan = std::move(plan);
  prepared.load = [=](const RandomStream&) {
    return [=](const RunContext& context) {
      make_folder(context.directory.path() / "images");
      write_summary(common, {}, expectations, run(context), context);
    };
  };
  return prepared;
}

}  // namespace ansatz::experiments
