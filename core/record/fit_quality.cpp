#include "core/record/fit_quality.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

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
  const Metrics& model = held_out.model;
  const bool standardized = model.standardized_mse && held_out.constant.standardized_mse;
  const double error = standardized ? *model.standardized_mse : model.mse;
  const double constant = standardized ? *held_out.constant.standardized_mse : held_out.constant.mse;
  if (constant > 0 && error >= constant)
    return fmt::format(
        "its mean squared error on the {} rows, {:.4g}{}, is no smaller than the {:.4g} of the training targets' "
        "mean{}",
        held_out.name, error, standardized ? " (of standardised outputs)" : "", constant,
        std::isfinite(model.r2) ? fmt::format(" (R² {:.3g})", model.r2) : "");
  if (model.r2 < 0) return fmt::format("its R² on the {} rows, {:.3g}, is below 0", held_out.name, model.r2);
  return std::nullopt;
}

/// What is known of the model on the rows held out; none where no row was.
std::optional<HeldOut> held_out_of(const RunRecord& record, const ModelScores& model) {
  const DataRecord& data = *record.data;
  const std::optional<Metrics>& metrics = data.test_size > 0 ? model.metrics.test : model.metrics.validation;
  if (!metrics || !data.constant) return std::nullopt;
  return data.test_size > 0 ? HeldOut{"test", data.test_size, *metrics, *data.constant}
                            : HeldOut{"validation", data.validation_size, *metrics, *data.constant};
}

/// "network: of its 3 outputs, 1 has R² below 0 on the test rows"; outputs are counted from 0.
std::optional<std::string> poor_outputs(const std::string& model, const HeldOut& held_out) {
  constexpr std::size_t kShown = 10;
  std::vector<std::size_t> poor;
  const std::vector<double>& r2 = held_out.model.r2_by_output;
  for (std::size_t j = 0; j < r2.size(); ++j)
    if (r2[j] < 0) poor.push_back(j);
  if (poor.empty()) return std::nullopt;
  const std::string more = poor.size() > kShown ? fmt::format(" and {} more", poor.size() - kShown) : "";
  const bool one = poor.size() == 1;
  poor.resize(std::min(poor.size(), kShown));
  return fmt::format("{}: of its {} outputs, {}{} (counted from 0) {} R² below 0 on the {} rows", model, r2.size(),
                     fmt::join(poor, ", "), more, one ? "has" : "have", held_out.name);
}

}  // namespace

std::optional<std::string> poor_fit(const RunRecord& record, const ModelScores& model) {
  const std::optional<HeldOut> held_out = held_out_of(record, model);
  if (!held_out) return std::nullopt;
  const std::optional<std::string> why =
      held_out->model.accuracy ? poor_classifier(*held_out) : poor_regression(*held_out);
  if (!why) return std::nullopt;
  return model.model + ": " + *why + ": it has learned nothing that carries over";
}

std::vector<std::string> poor_fits(const RunRecord& record) {
  std::vector<std::string> sentences;
  for (const ModelScores& model : scores_of(record)) {
    std::optional<std::string> sentence = poor_fit(record, model);
    const std::optional<HeldOut> held_out = held_out_of(record, model);
    if (!sentence && held_out) sentence = poor_outputs(model.model, *held_out);
    if (sentence) sentences.push_back(std::move(*sentence));
  }
  return sentences;
}

}  // namespace ansatz
