#include "experiments/sweeps/pictures/sweep_winners.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ansatz::experiments {
namespace {

constexpr std::size_t kMostMaps = 6;
constexpr double kClear = 2;  // standard errors

viz::WinnerMap::Cell cell_at(const SweepPoints& points, const SweepPoints::Places& point, const SweepFamily& family) {
  std::vector<std::pair<double, std::size_t>> means;  // and whose
  for (std::size_t i = 0; i < family.members.size(); ++i) {
    const double mean = points.value(point, family.members[i].number).spread.mean;
    if (std::isfinite(mean)) means.emplace_back(mean, i);
  }
  viz::WinnerMap::Cell cell;
  if (means.empty()) return cell;
  std::stable_sort(means.begin(), means.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  if (family.of_constant && means[0].first <= *family.of_constant) {
    cell.text = "none";
    return cell;
  }
  const std::size_t best = means[0].second;
  cell.winner = best;
  cell.text = fmt::format("{:.3g}", means[0].first / family.unit);
  if (means.size() == 1) return cell;
  const SweepValue lead = points.lead(point, family.members[best].number, family.members[means[1].second].number);
  cell.clear = lead.spread.mean > kClear * lead.standard_error;  // not so where one seed leaves no error
  return cell;
}

}  // namespace

std::vector<viz::WinnerMap> winner_maps(const SweepPoints& points, const SweepPlots& plots, const SweepFamily& family) {
  if (family.name != "scores" || family.members.size() < 2 || !plots.lines()) return {};
  const std::size_t down = *plots.lines(), across = plots.x();
  const std::vector<std::size_t> rows = ascending(positions_on(*points.axes()[down])),
                                 columns = ascending(positions_on(*points.axes()[across]));
  std::vector<viz::WinnerMap> maps;
  for (SweepPoints::Places place : plots.panel_places()) {
    viz::WinnerMap map;
    map.title = plots.panels().empty() ? "" : plots.panel_title(place);
    map.x_label = points.axes()[across]->name();
    map.y_label = points.axes()[down]->name();
    for (const SweepMember& member : family.members) map.models.push_back(member.label);
    for (const std::size_t column : columns) map.column_names.push_back(points.axes()[across]->text(column));
    for (const std::size_t row : rows) {
      map.row_names.push_back(points.axes()[down]->text(row));
      for (const std::size_t column : columns) {
        place[down] = row;
        place[across] = column;
        map.cells.push_back(cell_at(points, place, family));
      }
    }
    maps.push_back(std::move(map));
    if (maps.size() == kMostMaps) break;
  }
  return maps;
}

}  // namespace ansatz::experiments
