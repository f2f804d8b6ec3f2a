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
constexpr double kNameSize = 9, kMostName = 100;  ///< names in place of numbers; their greatest length
constexpr double kNamePitch = 9.5;                ///< between names of neighbouring rows
constexpr double kMostGrowth = 1.35;              ///< of a map, to have room for every name
constexpr Index kEveryIndex = 16;                 ///< up to this size every row and column is numbered
constexpr Index kMostPixels = 800;                ///< a side; entries of larger matrices are averaged
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

/// What stands beside the rows, or below the columns: numbers or names.
struct Labels {
  std::vector<Tick> ticks;
  double size = kTickSize;  ///< of the text
  double widest = 0;
  bool names = false, upright = false;
  Index step = 1;                                           ///< of names, every how many are written
  double depth() const { return upright ? widest : size; }  ///< below the columns
};

Labels labels_of(const std::vector<std::string>& names, Index count, double cell) {
  Labels out;
  if (names.empty()) {
    out.ticks = index_ticks(count);
  } else {
    out.names = true;
    out.size = kNameSize;
    out.step = static_cast<Index>(std::ceil(kNamePitch / cell));
    for (Index i = 0; i < count; i += out.step)
      out.ticks.push_back(
          {static_cast<double>(i + 1), shorten(names[static_cast<std::size_t>(i)], kMostName, kNameSize)});
  }
  out.widest = Axis{1, 2, false, out.ticks}.label_width(out.size);
  out.upright = out.names && out.widest + 6 > cell;
  return out;
}

struct Drawing {
  Matrix<double> values;
  ColorRange range;
  std::string note;
  Labels row_labels, column_labels;
  double width = 0, height = 0;  ///< of the cells
  double left = 0, right = 0;    ///< row labels; colour bar
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

std::string note_of(const ColorRange& range, bool clipped, Index factor, Index step) {
  std::string note = range.palette == Palette::diverging ? "linear colour scale, 0 is white" : "linear colour scale";
  if (clipped) note += ", cut at the size that 99.5 % of the entries stay below";
  if (factor > 1)
    note += "; a pixel is the mean of " + std::to_string(factor) + " × " + std::to_string(factor) + " entries";
  if (step > 1) note += "; one name in " + std::to_string(step) + " is written";
  return note;
}

void require_names_to_fit(const HeatMap& map) {
  if (map.values.size() == 0) throw DataError("heat map \"" + map.title + "\": the matrix is empty");
  for (const auto& [names, count] :
       {std::pair(&map.row_names, map.values.rows()), std::pair(&map.column_names, map.values.cols())})
    if (!names->empty() && static_cast<Index>(names->size()) != count)
      throw DataError("heat map \"" + map.title + "\": " + std::to_string(names->size()) + " names for " +
                      std::to_string(count) + " rows or columns");
}

Drawing prepare(const HeatMap& map, double usual_side) {
  require_names_to_fit(map);
  const Index rows = map.values.rows(), columns = map.values.cols(), largest = std::max(rows, columns);
  const Index factor = (largest + kMostPixels - 1) / kMostPixels;
  Drawing out;
  out.values = factor > 1 ? block_means(map.values, factor) : map.values;
  out.range = range_of(out.values, map.palette, true);
  const bool clipped = clip_to_most_entries(out.values, out.range);
  const bool named = !map.row_names.empty() || !map.column_names.empty();
  const double wanted = named ? kNamePitch * static_cast<double>(largest) : 0;
  const double side = std::clamp(wanted, usual_side, kMostGrowth * usual_side);
  const double cell = side / static_cast<double>(largest);
  out.row_labels = labels_of(map.row_names, rows, cell);
  out.column_labels = labels_of(map.column_names, columns, cell);
  out.note = note_of(out.range, clipped, factor, std::max(out.row_labels.step, out.column_labels.step));
  out.width = cell * static_cast<double>(columns), out.height = cell * static_cast<double>(rows);
  out.left = out.row_labels.widest + 8;
  out.right = 10 + upright_color_bar_width(out.range, kBarTicks);
  return out;
}

void draw_column_labels(Canvas& canvas, const Labels& labels, const Rect& area, Index columns) {
  double free_from = area.x - 20;
  for (const Tick& tick : labels.ticks) {
    const double x = area.x + (tick.at - 0.5) / static_cast<double>(columns) * area.width;
    const double half = (labels.upright ? labels.size : text_width(tick.label, labels.size)) / 2;
    if (labels.upright) {
      canvas.text(x, area.bottom() + 5, tick.label, {labels.size, false, Align::right, true, kMuted});
      if (labels.step > 1) canvas.line(x, area.bottom(), x, area.bottom() + 3, kMuted, 0.6);
      continue;
    }
    if (x - half < free_from) continue;  // narrow cells: not every number fits
    canvas.text(x, area.bottom() + 4 + labels.size / 2, tick.label, {labels.size, false, Align::center, false, kMuted});
    free_from = x + half + 3;
  }
}

void draw_row_labels(Canvas& canvas, const Labels& labels, const Rect& area, Index rows) {
  double free_from = area.y - labels.size;
  for (const Tick& tick : labels.ticks) {
    const double y = area.y + (tick.at - 0.5) / static_cast<double>(rows) * area.height;
    if (!labels.names && y - labels.size / 2 < free_from) continue;
    canvas.text(area.x - 5, y, tick.label, {labels.size, false, Align::right, false, kMuted});
    if (labels.step > 1) canvas.line(area.x - 3, y, area.x, y, kMuted, 0.6);
    free_from = y + labels.size / 2 + 1;
  }
}

/// The entries of a matrix that is small enough to point at one.
void tell_entries(Canvas& canvas, const HeatMap& map, const Rect& area) {
  constexpr Index kMost = 24;
  const Index rows = map.values.rows(), columns = map.values.cols();
  if (rows > kMost || columns > kMost) return;
  const auto name = [](const std::vector<std::string>& names, const char* what, Index i) {
    return names.empty() ? what + std::to_string(i + 1) : names[static_cast<std::size_t>(i)];
  };
  const double width = area.width / static_cast<double>(columns), height = area.height / static_cast<double>(rows);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j)
      canvas.value({area.x + static_cast<double>(j) * width, area.y + static_cast<double>(i) * height, width, height},
                   name(map.row_names, "row ", i) + ", " + name(map.column_names, "column ", j) + ": " +
                       format_number(map.values(i, j), 3));
}

void draw_map(Canvas& canvas, const HeatMap& source, const Drawing& map, const std::vector<std::string>& title,
              double x, double top, double room) {
  const Rect area{x + map.left, top, map.width, map.height};
  const double line = kLineSpacing * kTitleSize;
  canvas.lines(area.x + area.width / 2, top - 6 - line * (static_cast<double>(title.size()) - 0.5), title,
               {kTitleSize, true, Align::center});
  canvas.image(area, colorize(map.values, map.range.low, map.range.high, map.range.palette));
  canvas.frame(area, kMuted, 0.6);
  tell_entries(canvas, source, area);
  draw_column_labels(canvas, map.column_labels, area, source.values.cols());
  draw_row_labels(canvas, map.row_labels, area, source.values.rows());
  const double bar = std::max(map.height, 60.0);
  draw_upright_color_bar(canvas, {area.right() + 10, top + (map.height - bar) / 2, 0, bar}, map.range, kBarTicks);
  canvas.lines(area.x, area.bottom() + 14 + map.column_labels.depth() + kNoteSize / 2,
               wrap(map.note, room - map.left, kNoteSize, false, 3), {kNoteSize, false, Align::left, false, kMuted});
}

}  // namespace

void draw_heat_maps(const std::vector<HeatMap>& maps, const FigureFiles& files) {
  if (maps.empty()) throw DataError(files.stem.string() + ": a figure needs at least one heat map");
  const std::size_t columns = std::min<std::size_t>(maps.size(), 2);
  const std::size_t rows = (maps.size() + columns - 1) / columns;
  const double side = columns == 1 ? 340 : 290;
  std::vector<Drawing> drawings;
  std::vector<std::vector<std::string>> titles;
  double pitch = 0, height = 0, depth = 0, title_lines = 0, note_lines = 0;
  for (const HeatMap& map : maps) {
    drawings.push_back(prepare(map, side));
    pitch = std::max({pitch, drawings.back().total(), drawings.back().left + 130});
    height = std::max(height, drawings.back().height);
    depth = std::max(depth, drawings.back().column_labels.depth());
  }
  for (std::size_t i = 0; i < maps.size(); ++i) {
    titles.push_back(wrap_evenly(maps[i].title, pitch - 20, kTitleSize, true, 3));
    title_lines = std::max(title_lines, static_cast<double>(titles.back().size()));
    note_lines = std::max(
        note_lines, static_cast<double>(wrap(drawings[i].note, pitch - drawings[i].left, kNoteSize, false, 3).size()));
  }
  const double top = 6 + kLineSpacing * kTitleSize * title_lines;
  const double row_height = top + std::max(height, 60.0) + 14 + depth + kLineSpacing * kNoteSize * note_lines;
  Canvas canvas(std::ceil(2 * kMargin + (pitch + kGap) * static_cast<double>(columns) - kGap),
                std::ceil(2 * kMargin + (row_height + kGap) * static_cast<double>(rows) - kGap));
  for (std::size_t i = 0; i < maps.size(); ++i)
    draw_map(canvas, maps[i], drawings[i], titles[i], kMargin + (pitch + kGap) * static_cast<double>(i % columns),
             kMargin + top + (row_height + kGap) * static_cast<double>(i / columns), pitch);
  canvas.save(files);
}

}  // namespace ansatz::viz
