#include "viz/page/ranking_tables.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/printable_text.h"
#include "viz/page/html.h"

namespace ansatz::viz {
namespace {

std::string share(double value) { return std::isfinite(value) ? fmt::format("{:.1f} %", 100 * value) : "–"; }

std::string loading(double value) {
  if (!std::isfinite(value)) return "–";
  return (value < 0 ? "−" : "") + fmt::format("{:.3f}", std::abs(value));
}

std::string diagonal_table(const char* what, const std::vector<std::string>& labels,
                           const std::vector<RankedFeature>& features) {
  std::vector<std::string> header = {what};
  for (const std::string& label : labels) {
    header.push_back(label);
    header.emplace_back("rank");
  }
  std::vector<std::vector<std::string>> rows;
  for (const RankedFeature& feature : features) {
    rows.push_back({escape_html(printable(feature.name))});
    for (std::size_t m = 0; m < labels.size(); ++m) {
      rows.back().push_back(share(feature.shares[m]));
      rows.back().push_back(std::to_string(feature.ranks[m]));
    }
  }
  return html_table(header, rows);
}

std::string loading_table(const std::vector<std::string>& labels, const RankedEigenvector& vector) {
  std::vector<std::string> header = {fmt::format("eigenvector {}", vector.number)};
  for (std::size_t m = 0; m < labels.size(); ++m) header.push_back(labels[m] + ", " + share(vector.shares[m]));
  std::vector<std::vector<std::string>> rows;
  for (const LoadedFeature& feature : vector.features) {
    rows.push_back({escape_html(printable(feature.name))});
    for (const double value : feature.loadings) rows.back().push_back(loading(value));
  }
  return html_table(header, rows);
}

}  // namespace

std::string diagonal_tables(const std::vector<std::string>& labels, const FeatureRanking& ranking) {
  std::string html = diagonal_table("feature", labels, ranking.by_feature);
  if (!ranking.by_column.empty()) html += diagonal_table("variable, its columns added up", labels, ranking.by_column);
  return html;
}

std::string loading_tables(const std::vector<std::string>& labels, const FeatureRanking& ranking) {
  if (ranking.eigenvectors.empty()) return "";
  std::string html;
  for (const RankedEigenvector& vector : ranking.eigenvectors) html += loading_table(labels, vector);
  return details("loadings of the leading eigenvectors",
                 html +
                     "<p class=\"soft\">Entries of eigenvectors of length 1, the largest first, and behind each "
                     "matrix the eigenvalue’s share of its trace. Signs are turned to agree with the first "
                     "matrix.</p>\n");
}

}  // namespace ansatz::viz
