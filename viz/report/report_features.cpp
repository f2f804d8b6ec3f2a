#include "viz/report/report_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/printable_text.h"
#include "viz/page/html.h"
#include "viz/page/numbers.h"

namespace ansatz::viz {
namespace {

std::string share(double value) { return std::isfinite(value) ? fmt::format("{:.1f} %", 100 * value) : "–"; }

std::string table(const char* what, const FeatureRanking& ranking, const std::vector<RankedFeature>& features) {
  std::vector<std::string> header = {what};
  for (const FeatureId& id : ranking.matrices) {
    header.push_back(readable(id));
    header.emplace_back("rank");
  }
  std::vector<std::vector<std::string>> rows;
  for (const RankedFeature& feature : features) {
    rows.push_back({escape_html(printable(feature.name))});
    for (std::size_t m = 0; m < ranking.matrices.size(); ++m) {
      rows.back().push_back(share(feature.shares[m]));
      rows.back().push_back(std::to_string(feature.ranks[m]));
    }
  }
  return html_table(header, rows);
}

}  // namespace

std::string top_features_section(const RunRecord& record) {
  if (!record.top_features) return "";
  const FeatureRanking& ranking = *record.top_features;
  const bool all = static_cast<Index>(ranking.by_feature.size()) == record.data->dimension;
  std::string html = "<h2>Which features weigh most</h2>\n" + table("feature", ranking, ranking.by_feature);
  const bool grouped = !ranking.by_column.empty();
  if (grouped) html += table("variable, its columns added up", ranking, ranking.by_column);
  return html +
         fmt::format(
             "<p class=\"soft\">Share of each matrix’s trace that its diagonal gives to the feature, and the "
             "rank of that entry among all {}{}. features.csv has every feature.{}</p>\n",
             record.data->dimension, all ? "" : "; listed are those that one of the matrices holds to be largest",
             grouped ? " A variable of many columns gathers much of a nearly isotropic matrix, learned or not." : "");
}

}  // namespace ansatz::viz
