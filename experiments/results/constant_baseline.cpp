#include "experiments/results/constant_baseline.h"

#include <fmt/format.h>

namespace ansatz::experiments {
namespace {

/// Mean squared error of the training targets' mean, a number a column, on other rows.
template <class Scalar>
double constant_mse(const Dataset<Scalar>& train, const Dataset<Scalar>& held_out) {
  const auto mean = train.targets.template cast<double>().colwise().mean().eval();
  const double sum = (held_out.targets.template cast<double>().rowwise() - mean).squaredNorm();
  return sum / static_cast<double>(held_out.targets.size());
}

}  // namespace

template <class Scalar>
std::vector<std::string> beaten_by_a_constant(const Results<Scalar>& results) {
  const bool tested = !results.split->test.empty();
  const Dataset<Scalar>& held_out = tested ? results.split->test : results.split->validation;
  std::vector<std::string> sentences;
  if (held_out.empty()) return sentences;
  const double constant = constant_mse(results.split->train, held_out);
  const auto judge = [&](const std::string& model, const std::optional<Metrics>& validation,
                         const std::optional<Metrics>& test) {
    const std::optional<Metrics>& metrics = tested ? test : validation;
    if (!metrics || metrics->mse < constant || constant == 0) return;
    sentences.push_back(
        fmt::format("{}: its mean squared error on the {} rows, {:.4g}, is no smaller than the {:.4g} of the training "
                    "targets' mean: it has learned nothing that carries over",
                    model, tested ? "test" : "validation", metrics->mse, constant));
  };
  if (results.network) judge("network", results.network->validation, results.network->test);
  if (results.rfm) {
    const rfm::RfmIteration& reported = results.rfm->trace.iteration();
    judge("rfm", reported.validation, reported.test);
  }
  for (const KernelMachineResult& kernel : results.kernels) judge(kernel.label, kernel.validation, kernel.test);
  return sentences;
}

template std::vector<std::string> beaten_by_a_constant(const Results<float>&);
template std::vector<std::string> beaten_by_a_constant(const Results<double>&);

}  // namespace ansatz::experiments
