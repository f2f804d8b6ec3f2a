#include "experiments/accuracy_findings.h"

#include <limits>

namespace ansatz::experiments {

double percent(const std::optional<Metrics>& test) {
  return test && test->accuracy ? 100 * *test->accuracy : std::numeric_limits<double>::quiet_NaN();
}

std::vector<std::string> accuracy_names(const std::string& prefix, const FeatureComparisonOptions& options) {
  std::vector<std::string> names;
  if (options.network) names.push_back(prefix + "network_accuracy");
  if (options.rfm) names.push_back(prefix + "rfm_accuracy");
  for (const KernelMachineOptions& machine : options.kernel_machines)
    names.push_back(prefix + machine.label + "_accuracy");
  return names;
}

template <class Scalar>
std::vector<Finding> accuracy_findings(const std::string& prefix, const std::string& of,
                                       const Results<Scalar>& results) {
  std::vector<Finding> findings;
  const auto add = [&](const std::string& model, const std::optional<Metrics>& test) {
    findings.push_back({prefix + model + "_accuracy", of + "test accuracy, " + model, percent(test), "%"});
  };
  if (results.network) add("network", results.network->test);
  if (results.rfm) add("rfm", results.rfm->trace.iteration().test);
  for (const KernelMachineResult& kernel : results.kernels) add(kernel.label, kernel.test);
  return findings;
}

template std::vector<Finding> accuracy_findings(const std::string&, const std::string&, const Results<float>&);
template std::vector<Finding> accuracy_findings(const std::string&, const std::string&, const Results<double>&);

}  // namespace ansatz::experiments
