#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "viz/canvas/color_bar.h"
#include "viz/canvas/text.h"
#include "viz/plots/figures.h"

namespace ansatz::viz {
namespace {

constexpr double kMargin = 12, kGapX = 20, kGapY = 18;
constexpr double kFigureTitle = 14, kCellTitle = 11.5, kCaption = 11, kRowLabel = 12, kNote = 10;
constexpr double kMostWidth = 900;   ///< for the cells of a row
constexpr double kMostHeight = 700;  ///< for the pictures of a column
constexpr double kRowLabelWidth = 96;
constexpr double kNoteGap = 12;
constexpr int kRowBarTicks = 4;

bool is_missing(const PanelCell& cell) { return !cell.rgb && cell.values.size() == 0; }

double rows_of(const PanelCell& cell) { return cell.rgb ? cell.rgb->height : static_cast<double>(cell.values.rows()); }
double columns_of(const PanelCell& cell) {
  return cell.rgb ? cell.rgb->width : static_cast<double>(cell.values.cols());
}

ColorRange range_of(const PanelCell& cell) {
  if (cell.low < cell.high) return {cell.low, cell.high, cell.palette};
  return range_of(cell.values, cell.palette);
}

/// If all pictures of a row state the same range, a cell with that range; else null.
const PanelCell* shared_bar(const Panel& panel, const std::vector<PanelCell>& row) {
  const PanelCell* first = nullptr;
  std::size_t count = 0;
  for (const PanelCell& cell : row) {
    if (is_missing(cell)) continue;
    if (cell.rgb || !(cell.low < cell.high)) return nullptr;
    if (first && (cell.low != first->low || cell.high != first->high || cell.palette != first->palette)) return nullptr;
    first = &cell;
    ++count;
  }
  return panel.color_bars && count > 1 ? first : nullptr;
}

struct RowLayout {
  const PanelCell* bar = nullptr;  ///< cell that gives the row's common colour bar
  bool flat_bars = false;
  double title = 0, captions = 0;  ///< heights
  double height = 0;
};

struct PanelLayout {
  std::size_t columns = 0;
  double width = 0, height = 0;  ///< room for a picture
  double pitch = 0, label = 0, bar = 0;
  std::vector<std::string> title, note;
  std::vector<RowLayout> rows;
  double text_room() const { return pitch - 8; }
  double total_width() const { return 2 * kMargin + label + pitch * static_cast<double>(columns) + bar; }
};

/// Chooses the common room for pictures: about the same area whatever their aspect ratio, and as large as the number of
/// cells allows.
void choose_picture_size(const Panel& panel, PanelLayout& layout) {
  const double widest = std::min(240.0, kMostWidth / static_cast<double>(layout.columns) - kGapX);
  const double highest = std::clamp(kMostHeight / static_cast<double>(panel.rows.size()), 100.0, 240.0);
  const double area = std::pow(std::min({widest, highest, 200.0}), 2);
  for (const auto& row : panel.rows)
    for (const PanelCell& cell : row) {
      if (is_missing(cell)) continue;
      const double aspect = columns_of(cell) / rows_of(cell);
      const double width = std::min({std::sqrt(area * aspect), widest, highest * aspect});
      layout.width = std::max(layout.width, width);
      layout.height = std::max(layout.height, width / aspect);
    }
}

/// Chooses how wide cells are: they widen for their texts up to a limit, beyond which texts wrap.
void choose_pitch(const Panel& panel, PanelLayout& layout) {
  double text = 0;
  for (const auto& row : panel.rows)
    for (const PanelCell& cell : row) {
      text = std::max(text, text_width(cell.title, kCellTitle, true));
      for (const std::string& caption : cell.captions) text = std::max(text, text_width(caption, kCaption));
    }
  const double limit = std::max(
      {layout.width, std::min(layout.width + 40, kMostWidth / static_cast<double>(layout.columns) - 10), 78.0});
  layout.pitch = std::max(layout.width + kGapX, std::min(text, limit) + 10);
}

std::vector<std::string> caption_lines(const PanelCell& cell, double room) {
  std::vector<std::string> out;
  for (const std::string& caption : cell.captions)
    for (const std::string& line : wrap(caption, room, kCaption, false, 2)) out.push_back(line);
  return out;
}

std::vector<std::string> cell_title(const PanelCell& cell, double room) {
  return wrap_evenly(cell.title, room, kCellTitle, true, 3);
}

RowLayout layout_of_row(const Panel& panel, const std::vector<PanelCell>& row, const PanelLayout& layout) {
  RowLayout out;
  out.bar = shared_bar(panel, row);
  for (const PanelCell& cell : row) {
    out.flat_bars = out.flat_bars || (panel.color_bars && !out.bar && !cell.rgb && !is_missing(cell));
    const auto title = static_cast<double>(cell_title(cell, layout.text_room()).size());
    const auto captions = static_cast<double>(caption_lines(cell, layout.text_room()).size());
    out.title = std::max(out.title, title > 0 ? title * kLineSpacing * kCellTitle + 3 : 0);
    out.captions = std::max(out.captions, captions > 0 ? captions * kLineSpacing * kCaption + 4 : 0);
  }
  out.height = out.title + layout.height + (out.flat_bars ? 4 + kFlatBarHeight : 0) + out.captions;
  return out;
}

PanelLayout layout_of(const Panel& panel) {
  PanelLayout out;
  for (const auto& row : panel.rows) out.columns = std::max(out.columns, row.size());
  if (out.columns == 0) throw DataError("panel \"" + panel.title + "\": there is no cell to draw");
  choose_picture_size(panel, out);
  if (out.width == 0) throw DataError("panel \"" + panel.title + "\": every cell is empty");
  choose_pitch(panel, out);
  for (const std::string& label : panel.row_labels)
    for (const std::string& line : wrap(label, kRowLabelWidth, kRowLabel, true, 4))
      out.label = std::max(out.label, text_width(line, kRowLabel, true) + 6);
  for (const auto& row : panel.rows) {
    out.rows.push_back(layout_of_row(panel, row, out));
    if (const PanelCell* bar = out.rows.back().bar)
      out.bar = std::max(out.bar, upright_color_bar_width({bar->low, bar->high, bar->palette}, kRowBarTicks));
  }
  const double natural = out.total_width() - 2 * kMargin;
  out.title = wrap_evenly(panel.title, std::max(natural, 260.0), kFigureTitle, true, 3);
  out.note = wrap(panel.note, std::max(natural, 260.0), kNote, false, 4);
  return out;
}

/// The width of the figure. A title that is wider than the cells widens it.
double figure_width(const PanelLayout& layout) {
  double width = layout.total_width();
  for (const std::string& line : layout.title)
    width = std::max(width, 2 * kMargin + text_width(line, kFigureTitle, true));
  for (const std::string& line : layout.note) width = std::max(width, 2 * kMargin + text_width(line, kNote));
  return std::ceil(width);
}

double figure_height(const PanelLayout& layout) {
  double height = 2 * kMargin - kGapY;
  if (!layout.title.empty()) height += kLineSpacing * kFigureTitle * static_cast<double>(layout.title.size()) + 6;
  for (const RowLayout& row : layout.rows) height += row.height + kGapY;
  if (!layout.note.empty()) height += kNoteGap + kLineSpacing * kNote * static_cast<double>(layout.note.size());
  return std::ceil(height);
}

/// Width and height of the picture within the common room.
std::pair<double, double> picture_size(const PanelCell& cell, const PanelLayout& layout) {
  const double scale = std::min(layout.width / columns_of(cell), layout.height / rows_of(cell));
  return {scale * columns_of(cell), scale * rows_of(cell)};
}

void draw_picture(Canvas& canvas, const PanelCell& cell, const Rect& rect) {
  Image image;
  if (cell.rgb) {
    image = *cell.rgb;
  } else {
    const ColorRange range = range_of(cell);
    image = colorize(cell.values, range.low, range.high, range.palette);
  }
  // More pixels than the PNG's two a unit would only make the files larger.
  canvas.image(rect, shrink_to_fit(image, static_cast<int>(std::ceil(2 * rect.height)),
                                   static_cast<int>(std::ceil(2 * rect.width))));
  canvas.frame(rect, kFrame, 0.5);
}

/// `x`: centre of the cell; `y`: its top.
void draw_cell(Canvas& canvas, const Panel& panel, const PanelCell& cell, const PanelLayout& layout,
               const RowLayout& row, double x, double y) {
  const std::vector<std::string> title = cell_title(cell, layout.text_room());
  const double line = kLineSpacing * kCellTitle;
  canvas.lines(x, y + row.title - 3 - line * (static_cast<double>(title.size()) - 0.5), title,
               {kCellTitle, true, Align::center});
  y += row.title;
  if (!is_missing(cell)) {
    const auto [width, height] = picture_size(cell, layout);
    draw_picture(canvas, cell, {x - width / 2, y + (layout.height - height) / 2, width, height});
  }
  y += layout.height;
  if (row.flat_bars) {
    const double width = is_missing(cell) ? 0 : std::max(picture_size(cell, layout).first, 70.0);
    if (panel.color_bars && !cell.rgb && !is_missing(cell))
      draw_flat_color_bar(canvas, x - width / 2, y + 4, width, range_of(cell));
    y += 4 + kFlatBarHeight;
  }
  canvas.lines(x, y + 4 + kLineSpacing * kCaption / 2, caption_lines(cell, layout.text_room()),
               {kCaption, false, Align::center, false, kMuted});
}

void draw_row(Canvas& canvas, const Panel& panel, std::size_t index, const PanelLayout& layout, double left, double y) {
  const RowLayout& row = layout.rows[index];
  if (index < panel.row_labels.size()) {
    const std::vector<std::string> label = wrap(panel.row_labels[index], kRowLabelWidth, kRowLabel, true, 4);
    const double middle = y + row.title + layout.height / 2;
    canvas.lines(left + layout.label - 6,
                 middle - kLineSpacing * kRowLabel * (static_cast<double>(label.size()) - 1) / 2, label,
                 {kRowLabel, true, Align::right});
  }
  for (std::size_t i = 0; i < panel.rows[index].size(); ++i)
    draw_cell(canvas, panel, panel.rows[index][i], layout, row,
              left + layout.label + layout.pitch * (static_cast<double>(i) + 0.5), y);
  if (row.bar)
    draw_upright_color_bar(
        canvas,
        {left + layout.label + layout.pitch * static_cast<double>(layout.columns), y + row.title, 0, layout.height},
        {row.bar->low, row.bar->high, row.bar->palette}, kRowBarTicks);
}

}  // namespace

void draw_panel(const Panel& panel, const FigureFiles& files) {
  const PanelLayout layout = layout_of(panel);
  Canvas canvas(figure_width(layout), figure_height(layout));
  const double left = kMargin + (canvas.width() - layout.total_width()) / 2;
  double y = kMargin;
  if (!layout.title.empty())
    y = 6 - kLineSpacing * kFigureTitle / 2 +
        canvas.lines(canvas.width() / 2, y + kLineSpacing * kFigureTitle / 2, layout.title,
                     {kFigureTitle, true, Align::center});
  for (std::size_t i = 0; i < layout.rows.size(); ++i) {
    draw_row(canvas, panel, i, layout, left, y);
    y += layout.rows[i].height + kGapY;
  }
  canvas.lines(kMargin, y - kGapY + kNoteGap + kLineSpacing * kNote / 2, layout.note,
               {kNote, false, Align::left, false, kMuted});
  canvas.save(files);
}

}  // namespace ansatz::viz
