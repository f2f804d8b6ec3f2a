#include "core/record/fit_quality.h"

#include <fmt/format.h>

#include <cmath>

namespace ansatz {
namespace {

struct HeldOut {
  const char* name;
  Index rows;
  const Metrics& model;
  const Metrics& constant;
};

std::optional<std::string> poor_classifier(const HeldOut& held_out) {
  constexpr double kErrors = 2;
  const double p = held_out.constant.accuracy.value_or(1), found = *held_out.model.accuracy;
  const double error = std::sqrt(p * (1 - p) / static_cast<double>(held_out.rows));
  if (p >= 1 || found > p + kErrors * error) return std::nullopt;
  return fmt::format(
      "its accuracy on the {} {} rows, {:.2f} %, is not above the {:.2f} % of the most frequent class by more than two "
      "standard errors of {:.2f} %",
      held_out.rows, held_out.name, 100 * found, 100 * p, 100 * error);
}

std::optional<std::string> poor_regression(const HeldOut& held_out) {
  const Metrics &model = held_out.model, &constant = held_out.constant;
  if (constant.mse > 0 && model.mse >= constant.mse)
    return fmt::format(
        "its mean squared error on the {} rows, {:.4g}, is no smaller than the {:.4g} of the training targets' mean{}",
        held_out.name, model.mse, constant.mse, std::isfinite(model.r2) ? fmt::format(" (R² {:.3g})", model.r2) : "");
  if (model.r2 < 0) return fmt::format("its R² on the {} rows, {:.3g}, is below 0", held_out.name, model.r2);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> poor_fit(const RunRecord& record, const ModelScores& model) {
  const bool tested = record.data->test_size > 0;
  const std::optional<Metrics>& metrics = tested ? model.metrics.test : model.metrics.validation;
  if (!metrics || !record.data->constant) return std::nullopt;
  const HeldOut held_out{tested ? "test" : "validation", tested ? record.data->test_size : record.data->validation_size,
                         *metrics, *record.data->constant};
  const std::optional<std::string> why = metrics->accuracy ? poor_classifier(held_out) : poor_regression(held_out);
  if (!why) return std::nullopt;
  return model.model + ": " + *why + ": it has learned nothing that carries over";
}

std::vector<std::string> poor_fits(const RunRecord& record) {
  std::vector<std::string> sentences;
  for (const ModelScores& model : scores_of(record))
    if (std::optional<std::string> sentence = poor_fit(record, model)) sentences.push_back(std::move(*sentence));
  return sentences;
}

}  // namespace ansatz
