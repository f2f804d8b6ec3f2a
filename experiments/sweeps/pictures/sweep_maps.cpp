#include "experiments/sweeps/pictures/sweep_maps.h"

#include "experiments/sweeps/pictures/sweep_plots.h"

namespace ansatz::experiments {
namespace {

constexpr std::size_t kFewest = 3, kMostMaps = 6;

}  // namespace

std::vector<viz::HeatMap> heat_maps(const SweepPoints& points, const SweepFamily& family) {
  if (points.axes().size() != 2) return {};
  const SweepAxis &down = *points.axes()[0], &across = *points.axes()[1];
  const AxisPositions rows = positions_on(down), columns = positions_on(across);
  if (!rows.numbers || !columns.numbers || rows.x.size() < kFewest || columns.x.size() < kFewest) return {};
  std::vector<viz::HeatMap> maps;
  for (const SweepMember& member : family.members) {
    viz::HeatMap map;
    map.title = member.label + ": " + (family.one_scale ? family.title : "mean");
    map.palette = viz::Palette::viridis;
    map.values.resize(static_cast<Index>(rows.x.size()), static_cast<Index>(columns.x.size()));
    for (const std::size_t row : ascending(rows)) {
      const auto i = static_cast<Index>(map.row_names.size());
      map.row_names.push_back(down.text(row));
      map.column_names.clear();
      for (const std::size_t column : ascending(columns)) {
        const auto j = static_cast<Index>(map.column_names.size());
        map.column_names.push_back(across.text(column));
        map.values(i, j) = points.value({row, column}, member.number).spread.mean / family.unit;
      }
    }
    if (map.values.allFinite() && maps.size() < kMostMaps) maps.push_back(std::move(map));
  }
  return maps;
}

}  // namespace ansatz::experiments
