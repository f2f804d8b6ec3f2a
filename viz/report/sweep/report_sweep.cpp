#include "viz/report/sweep/report_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/printable_text.h"
#include "core/record/sweep/sweep_families.h"
#include "viz/page/figure.h"
#include "viz/page/html.h"
#include "viz/page/numbers.h"

namespace ansatz::viz {
namespace {

std::string safe(const std::string& text) { return escape_html(printable(text)); }

std::string estimate(const SweepValue& value, double unit) {
  if (value.spread.values.empty()) return "–";
  const std::string mean = number(value.spread.mean / unit, 4);
  return std::isfinite(value.standard_error) ? mean + " ± " + number(value.standard_error / unit, 4) : mean;
}

/// Cells that are not done, with the reason.
std::string unfinished_section(const SweepRecord& sweep) {
  std::string html;
  for (const SweepStatus status : {SweepStatus::failed, SweepStatus::missing}) {
    std::vector<std::vector<std::string>> rows;
    for (std::size_t i = 0; i < sweep.cells.size(); ++i)
      if (sweep.cells[i].status() == status)
        rows.push_back({sweep.label(i), safe(sweep.describe(i)), safe(sweep.cells[i].failure())});
    if (!rows.empty())
      html += fmt::format("<p><b>{} of {} cells {}.</b></p>\n", rows.size(), sweep.cells.size(),
                          status == SweepStatus::failed ? "failed" : "are missing") +
              html_table({"cell", "values", "why"}, rows);
  }
  return html;
}

/// Each warning once, behind the cells that have it.
std::string warnings_section(const SweepRecord& sweep) {
  std::map<std::string, std::vector<std::string>> cells;
  for (std::size_t i = 0; i < sweep.cells.size(); ++i)
    for (const std::string& warning : sweep.cells[i].warnings) {
      std::vector<std::string>& labels = cells[warning];
      if (labels.empty() || labels.back() != sweep.label(i)) labels.push_back(sweep.label(i));
    }
  std::string html;
  for (const auto& [warning, labels] : cells) {
    html += labels.size() == 1 ? "<p><b>Cell" : "<p><b>Cells";
    for (const std::string& label : labels) html += " " + label + (label == labels.back() ? "" : ",");
    html += ": " + safe(warning) + ".</b></p>\n";
  }
  return html;
}

std::string figures_section(const SweepRecord& sweep, const std::filesystem::path& images) {
  std::string html;
  for (const Figure& figure : sweep.figures)
    html += html_figure(images / figure.file, printable(figure.title), safe(figure.caption));
  return html;
}

std::vector<std::string> cell_row(const SweepRecord& sweep, std::size_t cell) {
  std::vector<std::string> row = {sweep.label(cell)};
  for (std::size_t axis = 0; axis < sweep.axes.size(); ++axis)
    row.push_back(safe(sweep.axes[axis].text(sweep.cells[cell].places[axis])));
  return row;
}

double seconds_of(const SweepCell& cell) {
  double seconds = 0;
  for (const SweepRun& run : cell.runs) seconds += run.seconds;
  return seconds;
}

/// A row a cell, with the numbers that the figures show.
std::string cells_section(const SweepRecord& sweep) {
  std::vector<std::string> header = {"cell"};
  for (const SweepAxis& axis : sweep.axes) header.push_back(safe(axis.name()));
  const std::vector<SweepFamily> families = families_of(sweep);
  for (const SweepFamily& family : families)
    for (const SweepMember& member : family.members) header.push_back(safe(family.heading(member)));
  header.emplace_back("seconds");
  std::vector<std::vector<std::string>> rows;
  for (std::size_t cell = 0; cell < sweep.cells.size(); ++cell) {
    rows.push_back(cell_row(sweep, cell));
    for (const SweepFamily& family : families)
      for (const SweepMember& member : family.members)
        rows.back().push_back(estimate(sweep.value(cell, member.number), family.unit));
    rows.back().push_back(number(seconds_of(sweep.cells[cell])));
  }
  return "<h2>Cell by cell</h2>\n" + html_table(header, rows) +
         "<p class=\"soft\">Mean ± one standard error over the seeds that are done. Every cell is a run in "
         "<code>cells/</code>, of which <code>ansatz report</code> makes a page.</p>\n";
}

/// Every number, a row each, folded up.
std::string numbers_section(const SweepRecord& sweep) {
  std::vector<std::string> header = {"number"};
  for (std::size_t cell = 0; cell < sweep.cells.size(); ++cell) header.push_back(sweep.label(cell));
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < sweep.numbers.size(); ++i) {
    rows.push_back({safe(sweep.numbers[i])});
    for (std::size_t cell = 0; cell < sweep.cells.size(); ++cell)
      rows.back().push_back(estimate(sweep.value(cell, i), 1));
  }
  constexpr std::size_t kMostCells = 40;  // beside each other; sweep.csv has all
  if (rows.empty() || sweep.cells.size() > kMostCells) return "";
  return details("all numbers", html_table(header, rows));
}

}  // namespace

std::string sweep_sections(const SweepRecord& sweep, const std::filesystem::path& images) {
  return unfinished_section(sweep) + warnings_section(sweep) + figures_section(sweep, images) + cells_section(sweep) +
         numbers_section(sweep);
}

}  // namespace ansatz::viz
