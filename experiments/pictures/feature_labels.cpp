#include "experiments/pictures/feature_labels.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/printable_text.h"
#include "core/record/feature_ranking.h"

namespace ansatz::experiments {
namespace {

viz::BarPlot empty_plot(const std::string& title, const std::string& x_label, const std::vector<std::string>& labels) {
  viz::BarPlot plot{title, x_label, "", {}, {}};
  for (const std::string& label : labels) plot.series.push_back({label});
  return plot;
}

viz::BarPlot bars(const std::string& title, const std::vector<std::string>& labels,
                  const std::vector<RankedFeature>& features) {
  viz::BarPlot plot = empty_plot(title, "% of the trace", labels);
  for (const RankedFeature& feature : features) {
    plot.categories.push_back(printable(feature.name));
    for (std::size_t m = 0; m < plot.series.size(); ++m) plot.series[m].y.push_back(100 * feature.shares[m]);
  }
  return plot;
}

/// "Eigenvector 1 (62 %, 55 % of the trace)": a share a matrix.
std::string title_of(const RankedEigenvector& vector) {
  std::string shares;
  for (const double share : vector.shares)
    shares += (shares.empty() ? "" : ", ") + (std::isfinite(share) ? fmt::format("{:.0f} %", 100 * share) : "–");
  return fmt::format("Eigenvector {} ({} of the trace)", vector.number, shares);
}

viz::BarPlot loading_bars(const RankedEigenvector& vector, const std::vector<std::string>& labels) {
  viz::BarPlot plot = empty_plot(title_of(vector), "loading", labels);
  for (const LoadedFeature& feature : vector.features) {
    plot.categories.push_back(printable(feature.name));
    for (std::size_t m = 0; m < plot.series.size(); ++m) plot.series[m].y.push_back(feature.loadings[m]);
  }
  return plot;
}

}  // namespace

std::vector<std::string> feature_labels(const DataRecord& data, Index count) {
  std::vector<std::string> labels;
  for (Index i = 0; i < count; ++i) labels.push_back(printable(feature_name(data, i)));
  return labels;
}

std::vector<std::string> labels_of(const FeatureRanking& ranking) {
  std::vector<std::string> labels;
  for (const FeatureId& id : ranking.matrices) labels.push_back(id.label());
  return labels;
}

void draw_top_features(const std::vector<std::string>& labels, const FeatureRanking& ranking,
                       const viz::FigureFiles& files) {
  std::vector<viz::BarPlot> plots = {bars("Largest diagonal entries", labels, ranking.by_feature)};
  if (!ranking.by_column.empty())
    plots.push_back(bars("Summed over each variable's columns", labels, ranking.by_column));
  viz::draw_row_bars(plots, files);
}

void draw_loadings(const std::vector<std::string>& labels, const FeatureRanking& ranking,
                   const viz::FigureFiles& files) {
  std::vector<viz::BarPlot> plots;
  for (const RankedEigenvector& vector : ranking.eigenvectors) plots.push_back(loading_bars(vector, labels));
  if (!plots.empty()) viz::draw_row_bars(plots, files);
}

}  // namespace ansatz::experiments
