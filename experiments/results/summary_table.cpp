#include "experiments/results/summary_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/text_table.h"
#include "core/record/headline.h"
#include "core/record/score_tables.h"
#include "experiments/results/tuning_table.h"

namespace ansatz::experiments {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string cell(const std::optional<Metrics>& metrics) {
  if (!metrics) return "-";
  return metrics->accuracy ? fmt::format("{:.2f} %", 100 * *metrics->accuracy) : fmt::format("{:.4f}", metrics->r2);
}

std::string cell(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : "-";
}

/// Of a regression: the error on the test rows in the unit of the targets.
std::string root_mean_square(const SplitMetrics& metrics) {
  constexpr double kLongest = 1e7;  // that is written out
  if (!metrics.test) return "-";
  const double error = std::sqrt(metrics.test->mse);
  return error >= 1e-3 && error < kLongest ? fmt::format("{:.{}f}", error, error_decimals(error))
                                           : fmt::format("{:.4g}", error);
}

std::vector<std::string> model_row(const std::string& name, const SplitMetrics& metrics, const std::string& remark) {
  std::vector<std::string> row = {name, cell(metrics.train), cell(metrics.validation), cell(metrics.test)};
  if (!metrics.train.accuracy) row.push_back(root_mean_square(metrics));
  row.push_back(remark);
  return row;
}

/// Where the network came from; of one whose outputs are logits also the loss, as the accuracies do not say it.
std::string network_remark(const NetworkRecord& network) {
  std::string text = network.reported_epoch ? fmt::format("epoch {}", *network.reported_epoch) : "imported";
  const std::optional<Metrics>& test = network.metrics.test;
  const Metrics& shown = test ? *test : network.metrics.train;
  if (shown.cross_entropy)
    text += fmt::format(", {} cross-entropy {:.4f}", test ? "test" : "training", *shown.cross_entropy);
  return text;
}

std::string models_table(const RunRecord& record, std::size_t width) {
  const bool classes = record.data->task == Task::classification;
  Rows rows;
  if (const std::optional<NetworkRecord>& network = record.network)
    rows.push_back(model_row("network", network->metrics, network_remark(*network)));
  if (record.rfm) {
    for (const RfmIteration& it : record.rfm->iterations)
      rows.push_back(model_row(fmt::format("rfm, iteration {}", it.iteration), it,
                               it.iteration == record.rfm->reported ? "reported" : ""));
  }
  for (const KernelMachineRecord& machine : record.kernel_machines)
    rows.push_back(model_row(machine.label, machine.metrics, machine.description));
  std::vector<TextColumn> columns = {
      {classes ? "accuracy" : "R²", true}, {"train", false, 2}, {"validation", false, 3}, {"test"}};
  if (!classes) columns.push_back({"test RMSE"});
  columns.push_back({"", true, 1});
  return text_table(std::move(columns), std::move(rows), width);
}

/// Of a regression on several outputs.
std::string outputs_table(const RunRecord& record, std::size_t width) {
  constexpr std::size_t kShown = 20;
  const OutputScores scores = output_scores(record);
  if (scores.models.empty()) return "";
  const std::size_t outputs = scores.models.front().second.size();
  std::vector<TextColumn> columns = {{"R² by output, " + scores.split, true}};
  Rows rows;
  for (std::size_t j = 0; j < std::min(outputs, kShown); ++j) rows.push_back({std::to_string(j)});
  for (const auto& [model, r2] : scores.models) {
    columns.push_back({model, false, static_cast<int>(columns.size()) - 1});
    for (std::size_t j = 0; j < rows.size(); ++j) rows[j].push_back(cell(r2[j], 4));
  }
  const std::string rest = outputs > kShown ? fmt::format("; {} more in metrics.json", outputs - kShown) : "";
  return "\n" + text_table(std::move(columns), std::move(rows), width) +
         fmt::format("(The R² of a model is {}{}.)\n", scores.scores, rest);
}

std::vector<std::string> comparison_row(const FeaturePair& pair) {
  const FeatureComparison& c = pair.values;
  const double top = c.top_eigenvector_pearson.empty() ? 0 : c.top_eigenvector_pearson.front();
  double angle = std::numeric_limits<double>::quiet_NaN();
  for (const double a : c.principal_angles_deg) angle = std::isfinite(a) ? a : angle;  // NaN beyond the smaller rank
  return {pair.a.name() + " ~ " + pair.b.name(),
          cell(c.diagonal_pearson, 3),
          cell(top, 3),
          cell(c.matrix_pearson, 3),
          cell(c.off_diagonal_pearson, 3),
          cell(angle, 1)};
}

}  // namespace

std::string summary_table(const RunRecord& record, std::size_t width) {
  std::string text = headline(record);
  if (!text.empty()) text = "\n" + text + "\n";
  if (record.tuning) text += tuning_table(*record.tuning, width);
  text += "\n" + models_table(record, width) + outputs_table(record, width);
  if (record.pairs.empty()) return text;
  Rows rows;
  for (const FeaturePair& pair : record.pairs) rows.push_back(comparison_row(pair));
  text += "\n" + text_table({{"feature matrices", true},
                             {"diagonal"},
                             {"top vec", false, 1},
                             {"entries", false, 3},
                             {"off-diag", false, 4},
                             {"angle", false, 2}},
                            std::move(rows), width);
  return text +
         "(Pearson r of diagonals, of the top eigenvectors, of all entries, of those off the diagonal; largest "
         "principal angle in degrees)\n";
}

}  // namespace ansatz::experiments
