#include "experiments/pictures/feature_labels.h"

#include "core/base/printable_text.h"
#include "core/record/feature_ranking.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {
namespace {

viz::BarPlot bars(const std::string& title, const FeatureRanking& ranking, const std::vector<RankedFeature>& features) {
  viz::BarPlot plot{title, "% of the trace", "", {}, {}};
  for (const FeatureId& id : ranking.matrices) plot.series.push_back({id.label()});
  for (const RankedFeature& feature : features) {
    plot.categories.push_back(printable(feature.name));
    for (std::size_t m = 0; m < plot.series.size(); ++m) plot.series[m].y.push_back(100 * feature.shares[m]);
  }
  return plot;
}

}  // namespace

std::vector<std::string> feature_labels(const DataRecord& data, Index count) {
  std::vector<std::string> labels;
  for (Index i = 0; i < count; ++i) labels.push_back(printable(feature_name(data, i)));
  return labels;
}

void draw_top_features(const FeatureRanking& ranking, const std::filesystem::path& file) {
  const bool by_column = !ranking.by_column.empty();
  std::vector<viz::BarPlot> plots = {bars("Largest diagonal entries", ranking, ranking.by_feature)};
  if (by_column) plots.push_back(bars("Summed over each variable's columns", ranking, ranking.by_column));
  viz::draw_row_bars(plots, file);
}

}  // namespace ansatz::experiments
