#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "viz/canvas/canvas.h"
#include "viz/canvas/text.h"
#include "viz/plots/figures.h"
#include "viz/plots/legend.h"

namespace ansatz::viz {
namespace {

constexpr double kMargin = 12, kGap = 30, kTitleSize = 12, kLabelSize = 11, kNameSize = 10, kNoteSize = 9.5;
constexpr double kCellHeight = 30, kLeastCell = 52, kMostName = 110, kInset = 1.5, kLeastWidth = 260;
constexpr const char* kNote = "Filled: ahead of the next by more than two standard errors. Framed: by less.";

/// The places of the parts of a map, from its left and its top.
struct Layout {
  std::vector<std::string> title;
  double cell = kLeastCell, row = kCellHeight;  ///< width and height of a cell
  double left = 0, top = 0;                     ///< where the cells begin
  double width = 0, height = 0;                 ///< of everything
};

double widest(const std::vector<std::string>& names, double size) {
  double width = 0;
  for (const std::string& name : names) width = std::max(width, text_width(shorten(name, kMostName, size), size));
  return width;
}

Layout layout_of(const WinnerMap& map) {
  if (map.row_names.empty() || map.column_names.empty() ||
      map.cells.size() != map.row_names.size() * map.column_names.size())
    throw DataError("map of winners \"" + map.title + "\": it needs a cell for each row and column");
  for (const WinnerMap::Cell& cell : map.cells)
    if (cell.winner && *cell.winner >= map.models.size())
      throw DataError("map of winners \"" + map.title + "\": no such model");
  Layout out;
  out.cell = std::max(kLeastCell, widest(map.column_names, kNameSize) + 10);
  out.left = kLineSpacing * kLabelSize + widest(map.row_names, kNameSize) + 12;
  out.width = std::max(kLeastWidth, out.left + out.cell * static_cast<double>(map.column_names.size()));
  out.title = wrap_evenly(map.title, out.width, kTitleSize, true, 3);
  out.top = 4 + kLineSpacing * kTitleSize * static_cast<double>(out.title.size());
  const double rows = static_cast<double>(map.row_names.size());
  out.row = std::max(kCellHeight, (text_width(map.y_label, kLabelSize) + 4) / rows);
  out.height = out.top + out.row * rows + 10 + kNameSize + 2 * kLineSpacing * kLabelSize;
  return out;
}

void draw_cell(Canvas& canvas, const WinnerMap::Cell& cell, const Rect& place, const std::string& says) {
  const Rect inner{place.x + kInset, place.y + kInset, place.width - 2 * kInset, place.height - 2 * kInset};
  const char* ink = kMuted;
  if (!cell.winner) {
    canvas.frame(inner, kGridLine, 0.6);
  } else if (const std::string color = style_of_series(*cell.winner).color; cell.clear) {
    canvas.rectangle(inner, color);
    ink = kPaper;
  } else {
    canvas.frame({inner.x + 1, inner.y + 1, inner.width - 2, inner.height - 2}, color, 2);
    ink = kInk;
  }
  if (cell.text.empty()) return;
  canvas.value(inner, says);
  canvas.text(place.x + place.width / 2, place.y + place.height / 2, cell.text,
              {kNameSize, false, Align::center, false, ink});
}

void draw_map(Canvas& canvas, const WinnerMap& map, const Layout& layout, double x, double y) {
  const double columns = static_cast<double>(map.column_names.size()), rows = static_cast<double>(map.row_names.size());
  const double left = x + layout.left, top = y + layout.top, middle = left + layout.cell * columns / 2;
  canvas.lines(x + layout.width / 2, y + kLineSpacing * kTitleSize / 2, layout.title,
               {kTitleSize, true, Align::center});
  for (std::size_t i = 0; i < map.row_names.size(); ++i) {
    const double row = top + layout.row * static_cast<double>(i);
    canvas.text(left - 6, row + layout.row / 2, shorten(map.row_names[i], kMostName, kNameSize),
                {kNameSize, false, Align::right, false, kMuted});
    for (std::size_t j = 0; j < map.column_names.size(); ++j) {
      const WinnerMap::Cell& cell = map.cells[i * map.column_names.size() + j];
      draw_cell(canvas, cell, {left + layout.cell * static_cast<double>(j), row, layout.cell, layout.row},
                map.row_names[i] + ", " + map.column_names[j] + ": " +
                    (cell.winner ? map.models[*cell.winner] + ", " : "") + cell.text);
    }
  }
  const double below = top + layout.row * rows;
  for (std::size_t j = 0; j < map.column_names.size(); ++j)
    canvas.text(left + layout.cell * (static_cast<double>(j) + 0.5), below + 4 + kNameSize / 2,
                shorten(map.column_names[j], kMostName, kNameSize), {kNameSize, false, Align::center, false, kMuted});
  canvas.text(middle, below + 10 + kNameSize + kLabelSize / 2, map.x_label, {kLabelSize, false, Align::center});
  canvas.text(x + kLabelSize / 2, top + layout.row * rows / 2, map.y_label, {kLabelSize, false, Align::center, true});
}

LegendLayout legend_of(const WinnerMap& map, double width) {
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < map.models.size(); ++i) entries.push_back({map.models[i], style_of_series(i), true});
  return legend_rows(entries, width);
}

}  // namespace

void draw_winner_maps(const std::vector<WinnerMap>& maps, const FigureFiles& files) {
  if (maps.empty()) throw DataError(files.stem.string() + ": a figure needs at least one map of winners");
  const std::size_t columns = std::min<std::size_t>(maps.size(), 2), rows = (maps.size() + columns - 1) / columns;
  std::vector<Layout> layouts;
  double pitch = 0, height = 0;
  for (const WinnerMap& map : maps) {
    if (map.models != maps.front().models) throw DataError("maps of winners: all must be of the same models");
    layouts.push_back(layout_of(map));
    pitch = std::max(pitch, layouts.back().width);
    height = std::max(height, layouts.back().height);
  }
  const double width = (pitch + kGap) * static_cast<double>(columns) - kGap;
  const LegendLayout legend = legend_of(maps.front(), width);
  const std::vector<std::string> note = wrap(kNote, width, kNoteSize, false, 3);
  const double maps_end = kMargin + (height + kGap) * static_cast<double>(rows) - kGap + 8;
  const double note_height = kLineSpacing * kNoteSize * static_cast<double>(note.size());
  Canvas canvas(std::ceil(2 * kMargin + width), std::ceil(maps_end + legend.height + 8 + note_height + kMargin));
  for (std::size_t i = 0; i < maps.size(); ++i)
    draw_map(canvas, maps[i], layouts[i], kMargin + (pitch + kGap) * static_cast<double>(i % columns),
             kMargin + (height + kGap) * static_cast<double>(i / columns));
  draw_legend(canvas, kMargin + (width - legend.width) / 2, maps_end, legend);
  canvas.lines(kMargin, maps_end + legend.height + 8 + kLineSpacing * kNoteSize / 2, note,
               {kNoteSize, false, Align::left, false, kMuted});
  canvas.save(files);
}

}  // namespace ansatz::viz
