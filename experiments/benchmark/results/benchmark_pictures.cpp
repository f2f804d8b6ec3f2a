#include "experiments/benchmark/results/benchmark_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/files/files.h"
#include "core/record/benchmark/benchmark_scores.h"
#include "core/record/benchmark/method_pairs.h"
#include "core/record/feature_ranking.h"
#include "core/statistics/critical_difference.h"
#include "core/statistics/ranks.h"
#include "core/statistics/table_metrics.h"
#include "experiments/pictures/feature_labels.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {
namespace {

constexpr std::size_t kSeriesShown = 3;

void draw_ranks(const BenchmarkRecord& record, Task task, const std::filesystem::path& file) {
  const ScoreTable table = ranked_methods(record, task);
  const Index sets = table.scores.rows(), methods = table.scores.cols();
  if (sets < 2 || methods < 2) return;
  const Vector<double> ranks = friedman_ranks(table);
  viz::RankDiagram diagram;
  diagram.title = fmt::format("Mean rank over {} sets", sets);
  diagram.methods = table.methods;
  diagram.ranks.assign(ranks.begin(), ranks.end());
  diagram.difference = critical_difference(methods, sets);
  for (const std::vector<Index>& group : indistinct_groups(ranks, diagram.difference))
    diagram.groups.emplace_back(group.begin(), group.end());
  viz::draw_rank_diagram(diagram, file);
}

void draw_paired(const BenchmarkRecord& record, Task task, const std::filesystem::path& file) {
  const double unit = task == Task::classification ? 100 : 1;
  viz::IntervalPlot plot{"Differences over the sets, with 95 % intervals",
                         task == Task::classification ? "difference in accuracy (points)" : "difference in R²",
                         {}};
  for (const MethodPair& pair : method_pairs(record, task)) {
    const PairedComparison& c = pair.comparison;
    plot.rows.push_back(
        {pair.method + " against " + pair.against, unit * c.mean, unit * c.low, unit * c.high,
         fmt::format("{} better, {} equal, {} worse; {}", c.wins, c.ties, c.losses, p_text(c.signed_ranks.p))});
  }
  if (!plot.rows.empty()) viz::draw_intervals(plot, file);
}

/// Those whose feature matrices are of interest; all, if none learned any.
std::vector<std::string> methods_over_baseline(const BenchmarkRecord& record, const std::string& baseline) {
  const auto learns = [&](const std::string& method) {
    return std::any_of(record.sets.begin(), record.sets.end(), [&](const BenchmarkSet& set) {
      const MethodOnSet* result = set.find(method);
      return result != nullptr && result->features && record.find(method)->kind != "mlp";
    });
  };
  std::vector<std::string> learning, others;
  for (const BenchmarkMethod& method : record.methods)
    if (method.label != baseline) (learns(method.label) ? learning : others).push_back(method.label);
  std::vector<std::string> methods = learning.empty() ? others : learning;
  if (methods.size() > kSeriesShown) methods.resize(kSeriesShown);
  return methods;
}

/// What a plot of improvements is over, and what it shows.
struct ImprovementAxes {
  bool over_dimension = false, relative = false;
};

viz::LinePlot improvement_plot(const BenchmarkRecord& record, const ScoreTable& scores, Task task,
                               const ImprovementAxes& axes) {
  const std::string baseline = baseline_of(record);
  const Vector<double> base = scores.scores.col(find_method(scores, baseline));
  viz::LinePlot plot;
  plot.x_label = axes.over_dimension ? "inputs d (logarithmic)" : "rows n (logarithmic)";
  plot.y_label = axes.relative                  ? "error below " + baseline + "’s, relative (%)"
                 : task == Task::classification ? "error below " + baseline + "’s (points)"
                                                : "R² above";
  plot.title = (axes.relative ? "Relative to " : "Against ") + baseline;
  plot.log_x = true;
  double least = HUGE_VAL, most = 0;
  for (const std::string& method : methods_over_baseline(record, baseline)) {
    viz::Series series{method};
    series.line = false;
    const Vector<double> own = scores.scores.col(find_method(scores, method));
    const Vector<double> relative = relative_error_decrease(own, base);
    for (std::size_t i = 0; i < scores.sets.size(); ++i) {
      const auto set = std::find_if(record.sets.begin(), record.sets.end(),
                                    [&](const BenchmarkSet& s) { return s.name == scores.sets[i]; });
      const auto at = static_cast<Index>(i);
      const double x = static_cast<double>(axes.over_dimension ? set->dimension : set->rows);
      series.x.push_back(x);
      series.y.push_back(axes.relative                  ? 100 * relative(at)
                         : task == Task::classification ? 100 * (own(at) - base(at))
                                                        : own(at) - base(at));
      series.names.push_back(scores.sets[i]);
      least = std::min(least, x);
      most = std::max(most, x);
    }
    plot.series.push_back(std::move(series));
  }
  viz::Series zero{"", {least, most}, {0, 0}};
  zero.level = true;
  plot.series.push_back(std::move(zero));
  return plot;
}

void draw_improvement(const BenchmarkRecord& record, Task task, const std::filesystem::path& file) {
  const std::string baseline = baseline_of(record);
  const ScoreTable scores = scores_of(record, task);
  if (baseline.empty() || methods_over_baseline(record, baseline).empty() || scores.sets.empty()) return;
  std::vector<viz::LinePlot> plots;
  for (const bool relative : {false, true})
    for (const bool over_dimension : {false, true})
      plots.push_back(improvement_plot(record, scores, task, {over_dimension, relative}));
  viz::draw_lines(plots, file);
}

}  // namespace

void draw_benchmark(const BenchmarkRecord& record, const std::filesystem::path& images) {
  make_folder(images);
  const std::vector<Task> tasks = tasks_of(record);
  for (const Task task : tasks) {
    const char* const suffix = tasks.size() > 1 && task == Task::regression ? ".regression" : "";
    draw_ranks(record, task, images / (std::string("ranks") + suffix));
    draw_paired(record, task, images / (std::string("paired") + suffix));
    draw_improvement(record, task, images / (std::string("improvement") + suffix));
  }
}

void draw_set(const BenchmarkSet& set, const std::filesystem::path& images) {
  const std::optional<SetRanking> ranking = rank_features(set);
  if (!ranking) return;
  make_folder(images);
  const auto svg = [&](const char* name) {
    viz::FigureFiles files = images / name;
    files.formats = {viz::FigureFormat::svg};
    return files;
  };
  draw_top_features(ranking->methods, ranking->ranking, svg("top_features"));
  draw_loadings(ranking->methods, ranking->ranking, svg("loadings"));
}

}  // namespace ansatz::experiments
