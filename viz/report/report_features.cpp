#include "viz/report/report_features.h"

#include <fmt/format.h>

#include "viz/page/numbers.h"
#include "viz/page/ranking_tables.h"

namespace ansatz::viz {
std::string top_features_section(const RunRecord& record) {
  if (!record.top_features) return "";
  const FeatureRanking& ranking = *record.top_features;
  const bool all = static_cast<Index>(ranking.by_feature.size()) == record.data->dimension;
  const bool grouped = !ranking.by_column.empty();
  std::vector<std::string> labels;
  for (const FeatureId& id : ranking.matrices) labels.push_back(readable(id));
  return "<h2>Which features weigh most</h2>\n" + diagonal_tables(labels, ranking) +
         fmt::format(
             "<p class=\"soft\">Share of each matrix’s trace that its diagonal gives to the feature, and the "
             "rank of that entry among all {}{}. features.csv has every feature.{}</p>\n",
             record.data->dimension, all ? "" : "; listed are those that one of the matrices holds to be largest",
             grouped ? " A variable of many columns gathers much of a nearly isotropic matrix, learned or not." : "") +
         loading_tables(labels, ranking);
}

}  // namespace ansatz::viz
