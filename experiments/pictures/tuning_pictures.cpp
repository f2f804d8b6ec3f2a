#include "experiments/pictures/tuning_pictures.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/pictures/axis_positions.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostCurves = 8;  // that one plot keeps apart

struct Scores {
  std::string label;
  bool lower_is_better = false;
  std::vector<double> values;  // one a cell, NaN where it failed
};

Scores scores_of(const TuningRecord& tuning) {
  Scores scores;
  const std::optional<Metrics>& chosen = tuning.chosen_cell().validation;
  const bool classes = chosen && chosen->accuracy, standardized = chosen && chosen->standardized_mse;
  scores.label = classes        ? "validation accuracy (%)"
                 : standardized ? "validation MSE of standardised outputs"
                                : "validation MSE";
  scores.lower_is_better = !classes;
  for (const TuningCell& cell : tuning.cells)
    scores.values.push_back(!cell.validation ? kNaN
                            : classes        ? 100 * *cell.validation->accuracy
                                             : cell.validation->selection_error());
  return scores;
}

/// The place of a cell's value on an axis.
std::size_t place(const TuningRecord& tuning, std::size_t cell, std::size_t axis) {
  const std::vector<std::string>& values = tuning.axes[axis].values;
  return static_cast<std::size_t>(std::find(values.begin(), values.end(), tuning.cells[cell].values[axis]) -
                                  values.begin());
}

AxisPositions positions_of(const TuningAxis& axis) { return axis_positions(axis.values, axis.logarithmic); }

viz::LinePlot empty_plot(const TuningAxis& axis, const AxisPositions& positions, const Scores& scores) {
  viz::LinePlot plot;
  plot.x_label = axis.key;
  if (!positions.numbers) plot.x_names = axis.values;
  plot.y_label = scores.label;
  plot.log_x = positions.logarithmic;
  plot.log_y = scores.lower_is_better;
  return plot;
}

/// The best score of each value of an axis, over all others.
viz::LinePlot best_along(const TuningRecord& tuning, const Scores& scores, std::size_t axis) {
  const AxisPositions positions = positions_of(tuning.axes[axis]);
  viz::LinePlot plot = empty_plot(tuning.axes[axis], positions, scores);
  viz::Series best{tuning.axes.size() > 1 ? "best over the other keys" : tuning.model, {}, {}, true};
  best.x = positions.x;
  best.y.assign(positions.x.size(), kNaN);
  for (std::size_t cell = 0; cell < scores.values.size(); ++cell) {
    double& y = best.y[place(tuning, cell, axis)];
    const double score = scores.values[cell];
    if (std::isfinite(score) && (!std::isfinite(y) || (scores.lower_is_better ? score < y : score > y))) y = score;
  }
  plot.series.push_back(std::move(best));
  return plot;
}

/// Over the axis `along`, a curve for each value of the other axis.
viz::LinePlot curves(const TuningRecord& tuning, const Scores& scores, std::size_t along) {
  const TuningAxis& other = tuning.axes[1 - along];
  const AxisPositions positions = positions_of(tuning.axes[along]);
  viz::LinePlot plot = empty_plot(tuning.axes[along], positions, scores);
  for (std::size_t i = 0; i < other.values.size(); ++i) {
    plot.series.push_back({other.key + " = " + other.values[i], positions.x, {}, true});
    plot.series.back().y.assign(positions.x.size(), kNaN);
  }
  for (std::size_t cell = 0; cell < scores.values.size(); ++cell)
    plot.series[place(tuning, cell, 1 - along)].y[place(tuning, cell, along)] = scores.values[cell];
  return plot;
}

/// Whether any value can be drawn at all.
bool drawable(const viz::LinePlot& plot) {
  for (const viz::Series& series : plot.series)
    for (const double y : series.y)
      if (std::isfinite(y) && (!plot.log_y || y > 0)) return true;
  return false;
}

/// How much worse each score is than the best one, which is 0: the scores themselves can lie far from 0 and near each
/// other, and would all have one colour. Of errors the decimal logarithm of the ratio, of accuracies the difference.
std::vector<double> distances_from_best(const Scores& scores) {
  const auto [low, high] = std::minmax_element(scores.values.begin(), scores.values.end());
  std::vector<double> distances;
  for (const double value : scores.values)
    distances.push_back(scores.lower_is_better ? std::log10(value / *low) : *high - value);
  return distances;
}

}  // namespace

void draw_tuning(const TuningRecord& tuning, const std::filesystem::path& file) {
  const Scores scores = scores_of(tuning);
  std::vector<viz::LinePlot> plots;
  if (tuning.axes.size() == 2) {
    for (const std::size_t along : {std::size_t{1}, std::size_t{0}})
      plots.push_back(tuning.axes[1 - along].values.size() <= kMostCurves ? curves(tuning, scores, along)
                                                                          : best_along(tuning, scores, along));
  } else {
    for (std::size_t axis = 0; axis < tuning.axes.size(); ++axis) plots.push_back(best_along(tuning, scores, axis));
  }
  plots.erase(std::remove_if(plots.begin(), plots.end(), [](const auto& plot) { return !drawable(plot); }),
              plots.end());
  if (!plots.empty()) viz::draw_lines(plots, file);
}

void draw_tuning_map(const TuningRecord& tuning, const std::filesystem::path& file) {
  constexpr std::size_t kFewest = 3;
  if (tuning.axes.size() != 2) return;
  const TuningAxis &rows = tuning.axes[0], &columns = tuning.axes[1];
  if (rows.values.size() < kFewest || columns.values.size() < kFewest) return;
  const Scores scores = scores_of(tuning);
  viz::HeatMap map;
  map.title = (scores.lower_is_better ? "log10(" + scores.label + " / the best)" : "best − " + scores.label) + ", " +
              rows.key + " (rows) by " + columns.key;
  map.palette = viz::Palette::viridis;
  map.row_names = rows.values;
  map.column_names = columns.values;
  map.values.setConstant(static_cast<Index>(rows.values.size()), static_cast<Index>(columns.values.size()), kNaN);
  const std::vector<double> distances = distances_from_best(scores);
  for (std::size_t cell = 0; cell < distances.size(); ++cell)
    map.values(static_cast<Index>(place(tuning, cell, 0)), static_cast<Index>(place(tuning, cell, 1))) =
        distances[cell];
  if (map.values.allFinite()) viz::draw_heat_maps({map}, file);
}

}  // namespace ansatz::experiments
