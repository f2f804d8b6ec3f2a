#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "viz/canvas/canvas.h"
#include "viz/canvas/text.h"
#include "viz/plots/figures.h"
#include "viz/plots/subplots.h"

namespace ansatz::viz {
namespace {

constexpr double kMargin = 12, kTitleSize = 12, kNameSize = 10.5, kTickSize = 10;
constexpr double kAxisWidth = 380, kMostName = 210, kNameGap = 8;
constexpr double kRowHeight = 18, kGroupPitch = 7, kGroupWidth = 3.5, kBelowAxis = 11;

struct Layout {
  std::vector<std::size_t> order;  ///< of the methods, the best first
  std::size_t left = 0;            ///< so many of them have their names at the left
  Axis axis;
  double names = 0;  ///< width of the widest name
  double axis_y = 0, first_row = 0;

  double x(double rank) const { return kMargin + names + kNameGap + axis.position(rank) * kAxisWidth; }
  double row_y(std::size_t row) const { return first_row + kRowHeight * static_cast<double>(row); }
  double width() const { return 2 * (kMargin + names + kNameGap) + kAxisWidth; }
  double height() const { return row_y(left) + kMargin - kRowHeight / 2; }
};

std::string name_of(const RankDiagram& diagram, std::size_t method) {
  return shorten(diagram.methods[method], kMostName, kNameSize) + fmt::format("  {:.2f}", diagram.ranks[method]);
}

Layout layout_of(const RankDiagram& diagram) {
  Layout out;
  out.order.resize(diagram.methods.size());
  std::iota(out.order.begin(), out.order.end(), std::size_t{0});
  std::stable_sort(out.order.begin(), out.order.end(),
                   [&](std::size_t a, std::size_t b) { return diagram.ranks[a] < diagram.ranks[b]; });
  out.left = (out.order.size() + 1) / 2;
  const double least = diagram.ranks[out.order.front()], most = diagram.ranks[out.order.back()];
  double low = std::floor(least), high = std::max(std::ceil(most), low + 1);
  if (std::isfinite(diagram.difference)) high = std::max(high, low + diagram.difference);
  out.axis = linear_axis(low, high, 9, high - low > 4);
  for (std::size_t i = 0; i < out.order.size(); ++i)
    out.names = std::max(out.names, text_width(name_of(diagram, i), kNameSize));
  const double title = diagram.title.empty() ? 0 : kLineSpacing * kTitleSize + 4;
  out.axis_y = kMargin + title + 44;
  out.first_row = out.axis_y + kBelowAxis + kGroupPitch * static_cast<double>(diagram.groups.size()) + kRowHeight / 2;
  return out;
}

void draw_axis(Canvas& canvas, const RankDiagram& diagram, const Layout& layout) {
  const double y = layout.axis_y;
  canvas.line(layout.x(layout.axis.low), y, layout.x(layout.axis.high), y, kInk, 1);
  for (const Tick& tick : layout.axis.ticks) {
    canvas.line(layout.x(tick.at), y, layout.x(tick.at), y - 4, kInk, 0.8);
    canvas.text(layout.x(tick.at), y - 11, tick.label, {kTickSize, false, Align::center, false, kMuted});
  }
  if (!std::isfinite(diagram.difference)) return;
  const double top = y - 28, from = layout.x(layout.axis.low), to = layout.x(layout.axis.low + diagram.difference);
  canvas.line(from, top, to, top, kInk, 1.2);
  for (const double end : {from, to}) canvas.line(end, top - 4, end, top + 4, kInk, 1.2);
  canvas.text(to + 8, top, fmt::format("critical difference {:.2f}", diagram.difference),
              {kTickSize, false, Align::left, false, kMuted});
}

/// A line from the axis to the name of a method, which is at the left or at the right.
void draw_method(Canvas& canvas, const RankDiagram& diagram, const Layout& layout, std::size_t place) {
  const std::size_t method = layout.order[place];
  const bool left = place < layout.left;
  const double x = layout.x(diagram.ranks[method]);
  const double y = layout.row_y(left ? place : layout.order.size() - 1 - place);
  const double end = left ? layout.x(layout.axis.low) - 2 : layout.x(layout.axis.high) + 2;
  canvas.line(x, layout.axis_y, x, y, kMuted, 0.8);
  canvas.line(x, y, end, y, kMuted, 0.8);
  canvas.text(end + (left ? -kNameGap + 2 : kNameGap - 2), y, name_of(diagram, method),
              {kNameSize, false, left ? Align::right : Align::left});
}

}  // namespace

void draw_rank_diagram(const RankDiagram& diagram, const FigureFiles& files) {
  if (diagram.methods.empty() || diagram.ranks.size() != diagram.methods.size())
    throw DataError(files.stem.string() + ": a diagram of ranks needs methods, and a rank for each");
  const Layout layout = layout_of(diagram);
  Canvas canvas(std::ceil(layout.width()), std::ceil(layout.height()));
  if (!diagram.title.empty())
    canvas.text(canvas.width() / 2, kMargin + kLineSpacing * kTitleSize / 2, diagram.title,
                {kTitleSize, true, Align::center});
  draw_axis(canvas, diagram, layout);
  for (std::size_t place = 0; place < layout.order.size(); ++place) draw_method(canvas, diagram, layout, place);
  for (std::size_t g = 0; g < diagram.groups.size(); ++g) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const std::size_t method : diagram.groups[g])
      low = std::min(low, diagram.ranks[method]), high = std::max(high, diagram.ranks[method]);
    const double y = layout.axis_y + kBelowAxis + kGroupPitch * static_cast<double>(g);
    canvas.line(layout.x(low) - 3, y, layout.x(high) + 3, y, kSeriesColors[0], kGroupWidth);
  }
  canvas.save(files);
}

}  // namespace ansatz::viz
