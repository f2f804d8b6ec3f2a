#include "experiments/pictures/curve_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "viz/plots/figures.h"

namespace ansatz::experiments {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double score(const std::optional<Metrics>& metrics) {
  if (!metrics) return kNaN;
  return metrics->accuracy ? 100 * *metrics->accuracy : metrics->r2;
}

/// A dashed line across the curves at `x`, the epoch or iteration that was reported.
void mark_reported(viz::LinePlot& plot, Index x) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const viz::Series& series : plot.series)
    for (const double y : series.y)
      if (std::isfinite(y)) low = std::min(low, y), high = std::max(high, y);
  if (low >= high) return;
  const auto at = static_cast<double>(x);
  plot.series.push_back({"reported", {at, at}, {low, high}});
  plot.series.back().level = true;
}

viz::LinePlot network_curves(const std::vector<EpochRecord>& history, const std::string& y_label) {
  viz::LinePlot plot;
  plot.title = "Network";
  plot.x_label = "epoch";
  plot.y_label = y_label;
  viz::Series train{"train", {}, {}, false}, validation{"validation", {}, {}, false};
  for (const EpochRecord& record : history) {
    if (!record.train) continue;
    train.x.push_back(static_cast<double>(record.epoch));
    train.y.push_back(score(record.train));
    validation.x.push_back(static_cast<double>(record.epoch));
    validation.y.push_back(score(record.validation));
  }
  plot.series.push_back(train);
  if (history.back().validation) plot.series.push_back(validation);
  return plot;
}

viz::LinePlot loss_curve(const std::vector<EpochRecord>& history, bool scaled_targets) {
  viz::LinePlot plot;
  plot.title = "Network, training loss";
  plot.x_label = "epoch";
  const bool logits = history.front().train && history.front().train->cross_entropy;
  plot.y_label = logits ? "cross-entropy (nats)" : scaled_targets ? "MSE, standardised targets" : "mean squared error";
  plot.log_y = true;
  viz::Series loss{"", {}, {}, false};  // the axis has its name
  for (const EpochRecord& record : history) {
    loss.x.push_back(static_cast<double>(record.epoch));
    loss.y.push_back(record.train_loss);
  }
  plot.series.push_back(loss);
  return plot;
}

viz::LinePlot rfm_curves(const std::vector<RfmIteration>& iterations, const std::vector<KernelMachineRecord>& kernels,
                         const std::string& y_label) {
  viz::LinePlot plot;
  plot.title = kernels.empty() ? "RFM" : "RFM (dashed: fixed kernels, test)";
  plot.x_label = "iteration (0: plain kernel)";
  plot.y_label = y_label;
  viz::Series train{"train", {}, {}, true}, validation{"validation", {}, {}, true}, test{"test", {}, {}, true};
  for (const RfmIteration& it : iterations) {
    for (viz::Series* series : {&train, &validation, &test}) series->x.push_back(static_cast<double>(it.iteration));
    train.y.push_back(score(it.train));
    validation.y.push_back(score(it.validation));
    test.y.push_back(score(it.test));
  }
  plot.series.push_back(train);
  if (iterations.back().validation) plot.series.push_back(validation);
  if (iterations.back().test) plot.series.push_back(test);
  const double last = static_cast<double>(std::max<std::size_t>(iterations.size(), 2) - 1);
  for (const KernelMachineRecord& kernel : kernels) {
    if (!kernel.metrics.test) continue;
    plot.series.push_back({kernel.label, {0, last}, {score(kernel.metrics.test), score(kernel.metrics.test)}});
    plot.series.back().level = true;
  }
  return plot;
}

struct NamedProgress {
  std::string label;
  const std::vector<SolveProgress>& points;
};

viz::LinePlot progress_plot(const std::vector<NamedProgress>& solves, const std::string& y_label,
                            double SolveProgress::*value) {
  viz::LinePlot plot;
  plot.title = "Solvers";
  plot.x_label = "seconds";
  plot.y_label = y_label;
  plot.log_y = true;
  for (const NamedProgress& solve : solves) {
    viz::Series series{solve.label, {}, {}, true};
    for (const SolveProgress& point : solve.points) {
      if (!(point.*value > 0)) continue;
      series.x.push_back(point.seconds);
      series.y.push_back(point.*value);
    }
    if (!series.x.empty()) plot.series.push_back(std::move(series));
  }
  return plot;
}

}  // namespace

void draw_solver_progress(const RunRecord& record, const std::filesystem::path& file) {
  std::vector<NamedProgress> solves;
  if (record.rfm)
    for (const RfmIteration& it : record.rfm->iterations)
      if (!it.solve.history.empty()) solves.push_back({fmt::format("RFM {}", it.iteration), it.solve.history});
  for (const KernelMachineRecord& kernel : record.kernel_machines)
    if (!kernel.solve.history.empty()) solves.push_back({kernel.label, kernel.solve.history});
  std::vector<viz::LinePlot> plots = {progress_plot(solves, "relative residual", &SolveProgress::relative_residual),
                                      progress_plot(solves, "validation MSE", &SolveProgress::validation_mse)};
  plots.erase(std::remove_if(plots.begin(), plots.end(), [](const auto& plot) { return plot.series.empty(); }),
              plots.end());
  if (!plots.empty()) viz::draw_lines(plots, file);
}

void draw_evolution(const FeatureEvolution& evolution, const std::filesystem::path& file) {
  viz::LinePlot plot;
  plot.title = "How the network's features came about";
  plot.x_label = "epoch";
  plot.y_label = "Pearson r of diag W₁ᵀW₁ with";
  const auto add = [&](const char* label, const std::vector<double>& y) {
    if (std::any_of(y.begin(), y.end(), [](double v) { return std::isfinite(v); }))
      plot.series.push_back({label, evolution.epochs, y, true});
  };
  add("the RFM's M", evolution.with_rfm);
  add("its initial value", evolution.with_initial);
  add("the expected AGOP", evolution.with_truth);
  if (!evolution.top_with_rfm.empty()) {
    plot.y_label = "Pearson r";
    for (viz::Series& series : plot.series) series.label = "diagonal, with " + series.label;
    add("|r| of the top eigenvector, with the RFM's", evolution.top_with_rfm);
  }
  if (!plot.series.empty()) viz::draw_lines({plot}, file);
}

void draw_training(const RunRecord& record, const std::filesystem::path& file) {
  const std::string y_label = record.data->task == Task::classification ? "accuracy (%)" : "R²";
  std::vector<viz::LinePlot> curves;
  if (record.network && !record.network->epochs.empty()) {
    curves.push_back(loss_curve(record.network->epochs, record.data->target_scaling.scales()));
    curves.push_back(network_curves(record.network->epochs, y_label));
    if (record.network->reported_epoch)
      for (viz::LinePlot& plot : curves) mark_reported(plot, *record.network->reported_epoch);
  }
  if (record.rfm) {
    curves.push_back(rfm_curves(record.rfm->iterations, record.kernel_machines, y_label));
    if (record.rfm->iterations.size() > 1) mark_reported(curves.back(), record.rfm->reported);
  }
  if (!curves.empty()) viz::draw_lines(curves, file);
}

}  // namespace ansatz::experiments
