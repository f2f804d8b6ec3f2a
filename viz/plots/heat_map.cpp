#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "viz/canvas/color_bar.h"
#include "viz/canvas/text.h"
#include "viz/plots/figures.h"

namespace ansatz::viz {
namespace {

constexpr double kMargin = 10, kGap = 28;
constexpr double kTitleSize = 12, kTickSize = 10, kNoteSize = 9.5;
constexpr Index kEveryIndex = 16;   ///< up to this size every row and column is numbered
constexpr Index kMostPixels = 800;  ///< a side; entries of larger matrices are averaged
constexpr int kBarTicks = 6;

/// Means over blocks of `factor` x `factor` entries (smaller at the far edges).
Matrix<double> block_means(const Matrix<double>& a, Index factor) {
  const auto count = [factor](Index size) { return (size + factor - 1) / factor; };
  Matrix<double> out(count(a.rows()), count(a.cols()));
  for (Index i = 0; i < out.rows(); ++i)
    for (Index j = 0; j < out.cols(); ++j)
      out(i, j) = a.block(i * factor, j * factor, std::min(factor, a.rows() - i * factor),
                          std::min(factor, a.cols() - j * factor))
                      .mean();
  return out;
}

/// The ticks 1 .. size if size is small, otherwise 1 and round numbers that are not too close to each other.
std::vector<Tick> index_ticks(Index size) {
  std::vector<Tick> ticks;
  if (size <= kEveryIndex) {
    for (Index i = 1; i <= size; ++i) ticks.push_back({static_cast<double>(i), std::to_string(i)});
    return ticks;
  }
  ticks.push_back({1, "1"});
  const auto limit = static_cast<double>(size);
  for (const Tick& tick : linear_axis(0, limit, 5, true).ticks)
    if (tick.at >= 0.08 * limit) ticks.push_back({tick.at, std::to_string(std::llround(tick.at))});
  return ticks;
}

struct Drawing {
  Matrix<double> values;
  ColorRange range;
  std::string note;
  std::vector<Tick> row_ticks, column_ticks;
  double width = 0, height = 0;  ///< of the cells
  double left = 0, right = 0;    ///< row numbers; colour bar
  double total() const { return left + width + right; }
};

/// A few entries of a large matrix can be so much larger than the rest that nothing else would be seen. In that case
/// the scale is cut so that it holds 99.5 % of the entries, and the figure says so.
bool clip_to_most_entries(const Matrix<double>& values, ColorRange& range) {
  constexpr Index kSmall = 64 * 64;
  if (values.size() <= kSmall) return false;
  std::vector<double> sizes(values.data(), values.data() + values.size());
  for (double& size : sizes) size = std::isnan(size) ? 0 : std::fabs(size);
  const auto at = sizes.begin() + static_cast<std::ptrdiff_t>(0.995 * static_cast<double>(sizes.size()));
  std::nth_element(sizes.begin(), at, sizes.end());
  if (*at <= 0 || *at > 0.5 * std::max(std::fabs(range.low), std::fabs(range.high))) return false;
  range.high = std::min(range.high, *at);
  range.low = std::max(range.low, -*at);
  return true;
}

std::string note_of(const ColorRange& range, bool clipped, Index factor) {
  std::string note = range.palette == Palette::diverging ? "linear colour scale, 0 is white" : "linear colour scale";
  if (clipped) note += ", cut at the size that 99.5 % of the entries stay below";
  if (factor > 1)
    note += "; a pixel is the mean of " + std::to_string(factor) + " × " + std::to_string(factor) + " entries";
  return note;
}

Drawing prepare(const HeatMap& map, double side) {
  if (map.values.size() == 0) throw DataError("heat map \"" + map.title + "\": the matrix is empty");
  const Index rows = map.values.rows(), columns = map.values.cols(), largest = std::max(rows, columns);
  const Index factor = (largest + kMostPixels - 1) / kMostPixels;
  Drawing out;
  out.values = factor > 1 ? block_means(map.values, factor) : map.values;
  out.range = range_of(out.values, map.palette, true);
  const bool clipped = clip_to_most_entries(out.values, out.range);
  out.note = note_of(out.range, clipped, factor);
  out.row_ticks = index_ticks(rows), out.column_ticks = index_ticks(columns);
  const double cell = side / static_cast<double>(largest);
  out.width = cell * static_cast<double>(columns), out.height = cell * static_cast<double>(rows);
  out.left = Axis{1, 2, false, out.row_ticks}.label_width(kTickSize) + 8;
  out.right = 10 + upright_color_bar_width(out.range, kBarTicks);
  return out;
}

void draw_numbers(Canvas& canvas, const Drawing& map, const Rect& area, Index rows, Index columns) {
  const TextStyle across{kTickSize, false, Align::center, false, kMuted},
      down{kTickSize, false, Align::right, false, kMuted};
  double free_from = area.x - 20;
  for (const Tick& tick : map.column_ticks) {
    const double x = area.x + (tick.at - 0.5) / static_cast<double>(columns) * area.width;
    const double half = text_width(tick.label, kTickSize) / 2;
    if (x - half < free_from) continue;  // narrow cells: not every number fits
    canvas.text(x, area.bottom() + 4 + kTickSize / 2, tick.label, across);
    free_from = x + half + 3;
  }
  free_from = area.y - kTickSize;
  for (const Tick& tick : map.row_ticks) {
    const double y = area.y + (tick.at - 0.5) / static_cast<double>(rows) * area.height;
    if (y - kTickSize / 2 < free_from) continue;
    canvas.text(area.x - 5, y, tick.label, down);
    free_from = y + kTickSize / 2 + 1;
  }
}

void draw_map(Canvas& canvas, const HeatMap& source, const Drawing& map, const std::vector<std::string>& title,
              double x, double top, double room) {
  const Rect area{x + map.left, top, map.width, map.height};
  const double line = kLineSpacing * kTitleSize;
  canvas.lines(area.x + area.width / 2, top - 6 - line * (static_cast<double>(title.size()) - 0.5), title,
               {kTitleSize, true, Align::center});
  canvas.image(area, colorize(map.values, map.range.low, map.range.high, map.range.palette));
  canvas.frame(area, kMuted, 0.6);
  draw_numbers(canvas, map, area, source.values.rows(), source.values.cols());
  const double bar = std::max(map.height, 60.0);
  draw_upright_color_bar(canvas, {area.right() + 10, top + (map.height - bar) / 2, 0, bar}, map.range, kBarTicks);
  canvas.lines(area.x, area.bottom() + 14 + kTickSize + kNoteSize / 2,
               wrap(map.note, room - map.left, kNoteSize, false, 3), {kNoteSize, false, Align::left, false, kMuted});
}

}  // namespace

void draw_heat_maps(const std::vector<HeatMap>& maps, const FigureFiles& files) {
  if (maps.empty()) throw DataError(files.stem.string() + ": a figure needs at least one heat map");
  const std::size_t columns = maps.size() == 4 ? 2 : std::min<std::size_t>(maps.size(), 3);
  const std::size_t rows = (maps.size() + columns - 1) / columns;
  const double side = columns == 1 ? 340 : columns == 2 ? 290 : 230;
  std::vector<Drawing> drawings;
  std::vector<std::vector<std::string>> titles;
  double pitch = 0, height = 0, title_lines = 0, note_lines = 0;
  for (const HeatMap& map : maps) {
    drawings.push_back(prepare(map, side));
    pitch = std::max({pitch, drawings.back().total(), drawings.back().left + 130});
    height = std::max(height, drawings.back().height);
  }
  for (std::size_t i = 0; i < maps.size(); ++i) {
    titles.push_back(wrap_evenly(maps[i].title, pitch - 20, kTitleSize, true, 3));
    title_lines = std::max(title_lines, static_cast<double>(titles.back().size()));
    note_lines = std::max(
        note_lines, static_cast<double>(wrap(drawings[i].note, pitch - drawings[i].left, kNoteSize, false, 3).size()));
  }
  const double top = 6 + kLineSpacing * kTitleSize * title_lines;
  const double row_height = top + std::max(height, 60.0) + 14 + kTickSize + kLineSpacing * kNoteSize * note_lines;
  Canvas canvas(std::ceil(2 * kMargin + (pitch + kGap) * static_cast<double>(columns) - kGap),
                std::ceil(2 * kMargin + (row_height + kGap) * static_cast<double>(rows) - kGap));
  for (std::size_t i = 0; i < maps.size(); ++i)
    draw_map(canvas, maps[i], drawings[i], titles[i], kMargin + (pitch + kGap) * static_cast<double>(i % columns),
             kMargin + top + (row_height + kGap) * static_cast<double>(i / columns), pitch);
  canvas.save(files);
}

}  // namespace ansatz::viz
