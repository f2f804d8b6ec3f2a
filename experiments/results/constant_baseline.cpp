#include "experiments/results/constant_baseline.h"

#include <fmt/format.h>

#include <limits>

namespace ansatz::experiments {

template <class Scalar>
double constant_mse(const Split<Scalar>& split) {
  const Dataset<Scalar>& held_out = split.test.empty() ? split.validation : split.test;
  if (held_out.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto mean = split.train.targets.template cast<double>().colwise().mean().eval();
  const double sum = held_out.target_scaling.squared_norm(held_out.targets.template cast<double>().rowwise() - mean);
  return sum / static_cast<double>(held_out.targets.size());
}

std::vector<std::string> beaten_by_a_constant(const RunRecord& record, double constant_mse) {
  std::vector<std::string> sentences;
  const bool tested = record.data->test_size > 0;
  for (const auto& [model, metrics] : scores_of(record)) {
    const std::optional<Metrics>& held_out = tested ? metrics.test : metrics.validation;
    if (!held_out || !(constant_mse > 0) || held_out->mse < constant_mse) continue;
    sentences.push_back(
        fmt::format("{}: its mean squared error on the {} rows, {:.4g}, is no smaller than the {:.4g} of the training "
                    "targets' mean: it has learned nothing that carries over",
                    model, tested ? "test" : "validation", held_out->mse, constant_mse));
  }
  return sentences;
}

template double constant_mse(const Split<float>&);
template double constant_mse(const Split<double>&);

}  // namespace ansatz::experiments
