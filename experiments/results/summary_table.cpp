#include "experiments/results/summary_table.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/record/headline.h"
#include "experiments/results/tuning_table.h"

namespace ansatz::experiments {
namespace {

std::string cell(const std::optional<Metrics>& metrics) {
  if (!metrics) return "-";
  return metrics->accuracy ? fmt::format("{:.2f} %", 100 * *metrics->accuracy) : fmt::format("{:.4f}", metrics->r2);
}

std::string model_row(const std::string& name, const SplitMetrics& metrics, const std::string& remark) {
  return fmt::format("{:<22} {:>10} {:>10} {:>10}   {}\n", name, cell(metrics.train), cell(metrics.validation),
                     cell(metrics.test), remark);
}

std::string models_table(const RunRecord& record) {
  const bool classes = record.data->task == Task::classification;
  std::string text =
      fmt::format("\n{:<22} {:>10} {:>10} {:>10}\n", classes ? "accuracy" : "R²", "train", "validation", "test");
  if (const std::optional<NetworkRecord>& network = record.network)
    text += model_row("network", network->metrics,
                      network->reported_epoch ? fmt::format("epoch {}", *network->reported_epoch) : "imported");
  if (record.rfm) {
    for (const RfmIteration& it : record.rfm->iterations)
      text += model_row(fmt::format("rfm, iteration {}", it.iteration), it,
                        it.iteration == record.rfm->reported ? "reported" : "");
  }
  for (const KernelMachineRecord& machine : record.kernel_machines)
    text += model_row(machine.label, machine.metrics, machine.description);
  return text;
}

std::string comparison_row(const FeaturePair& pair) {
  const FeatureComparison& c = pair.values;
  const double top = c.top_eigenvector_pearson.empty() ? 0 : c.top_eigenvector_pearson.front();
  double angle = std::numeric_limits<double>::quiet_NaN();
  for (const double a : c.principal_angles_deg) angle = std::isfinite(a) ? a : angle;  // NaN beyond the smaller rank
  return fmt::format("{:<36} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.1f}\n", pair.a.name() + " ~ " + pair.b.name(),
                     c.diagonal_pearson, top, c.matrix_pearson, c.off_diagonal_pearson, angle);
}

}  // namespace

std::string summary_table(const RunRecord& record) {
  std::string text = headline(record);
  if (!text.empty()) text = "\n" + text + "\n";
  if (record.tuning) text += tuning_table(*record.tuning);
  text += models_table(record);
  if (record.pairs.empty()) return text;
  text += fmt::format("\n{:<36} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "feature matrices", "diagonal", "top vec", "entries",
                      "off-diag", "angle");
  for (const FeaturePair& pair : record.pairs) text += comparison_row(pair);
  return text +
         "(Pearson r of diagonals, of the top eigenvectors, of all entries, of those off the diagonal; largest "
         "principal angle in degrees)\n";
}

}  // namespace ansatz::experiments
