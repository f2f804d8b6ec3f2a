#include "viz/plots/legend.h"

#include <algorithm>

#include "viz/canvas/text.h"

namespace ansatz::viz {
namespace {

constexpr double kSize = 10.5;  ///< of the text
constexpr double kSample = 22;  ///< width of line or box before the text
constexpr double kRow = 15;     ///< height of a row
constexpr double kGap = 18;     ///< between entries of a row

double entry_width(const LegendEntry& entry) { return kSample + 6 + text_width(entry.label, kSize); }

std::vector<LegendEntry> labelled(std::vector<LegendEntry> entries) {
  const auto empty = [](const LegendEntry& e) { return e.label.empty(); };
  entries.erase(std::remove_if(entries.begin(), entries.end(), empty), entries.end());
  return entries;
}

void draw_sample(Canvas& canvas, double x, double y, const LegendEntry& entry) {
  if (entry.box) {
    canvas.rectangle({x + kSample - 12, y - 5, 10, 10}, entry.style.color);
    return;
  }
  if (entry.style.line) canvas.line(x, y, x + kSample, y, entry.style.color, entry.style.width, entry.style.dash);
  if (entry.style.markers || !entry.style.line) canvas.marker(x + kSample / 2, y, entry.style);
}

}  // namespace

LegendLayout legend_column(const std::vector<LegendEntry>& entries) {
  LegendLayout out{labelled(entries), {}, 0, 0};
  for (const LegendEntry& entry : out.entries) {
    out.at.emplace_back(0, out.height + kRow / 2);
    out.height += kRow;
    out.width = std::max(out.width, entry_width(entry));
  }
  return out;
}

LegendLayout legend_rows(const std::vector<LegendEntry>& entries, double width) {
  LegendLayout out{labelled(entries), {}, 0, 0};
  if (out.entries.empty()) return out;
  double column = 0;
  for (const LegendEntry& entry : out.entries) column = std::max(column, entry_width(entry) + kGap);
  const auto count = out.entries.size();
  double total = 0;
  for (const LegendEntry& entry : out.entries) total += entry_width(entry) + kGap;
  const bool one_row = total - kGap <= width;
  const auto columns = std::max<std::size_t>(1, static_cast<std::size_t>((width + kGap) / column));
  double x = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double left = one_row ? x : column * static_cast<double>(i % columns);
    const double row = one_row ? 0 : kRow * static_cast<double>(i / columns);
    out.at.emplace_back(left, row + kRow / 2);
    out.width = std::max(out.width, left + entry_width(out.entries[i]));
    out.height = row + kRow;
    x += entry_width(out.entries[i]) + kGap;
  }
  return out;
}

void draw_legend(Canvas& canvas, double x, double y, const LegendLayout& layout) {
  for (std::size_t i = 0; i < layout.entries.size(); ++i) {
    const auto [left, centre] = layout.at[i];
    draw_sample(canvas, x + left, y + centre, layout.entries[i]);
    canvas.text(x + left + kSample + 6, y + centre, layout.entries[i].label, {kSize});
  }
}

std::optional<std::pair<double, double>> free_corner(const Rect& area, const LegendLayout& layout,
                                                     const std::vector<std::pair<double, double>>& occupied) {
  const double left = area.x + kClearance, right = area.right() - kClearance - layout.width;
  const double top = area.y + kClearance, bottom = area.bottom() - kClearance - layout.height;
  if (right < left || bottom < top) return std::nullopt;
  for (const auto& [x, y] :
       {std::pair(right, top), std::pair(left, top), std::pair(right, bottom), std::pair(left, bottom)}) {
    const auto covers = [&, x = x, y = y](const std::pair<double, double>& point) {
      const double px = area.x + point.first * area.width, py = area.bottom() - point.second * area.height;
      return px > x - kClearance && px < x + layout.width + kClearance && py > y - kClearance &&
             py < y + layout.height + kClearance;
    };
    if (std::none_of(occupied.begin(), occupied.end(), covers)) return std::pair(x, y);
  }
  return std::nullopt;
}

}  // namespace ansatz::viz
