#include "core/record/benchmark/result_table.h"

#include <fmt/format.h>

#include <cmath>

namespace ansatz {
namespace {

std::string number_text(double value, int decimals) {
  const std::string text =
      decimals < 0 ? fmt::format("{:.{}g}", value, -decimals) : fmt::format("{:.{}f}", value, decimals);
  return text.front() == '-' ? "−" + text.substr(1) : text;
}

}  // namespace

std::string cell_text(const TableColumn& column, const TableCell& cell) {
  if (!cell.value) return cell.words;
  if (!std::isfinite(*cell.value)) return "–";
  const bool spread = cell.sd && std::isfinite(*cell.sd);
  return number_text(*cell.value, column.decimals) + (spread ? " ± " + number_text(*cell.sd, column.decimals) : "");
}

void mark_best(ResultTable& table, std::size_t column, bool largest, std::size_t first, std::size_t end) {
  const double factor = std::pow(10.0, table.columns[column].decimals);
  const auto shown = [&](std::size_t row) {
    const std::optional<double>& value = table.rows[row][column].value;
    if (!value || !std::isfinite(*value)) return -HUGE_VAL;
    return (largest ? 1 : -1) * std::round(*value * factor);
  };
  double best = -HUGE_VAL;
  for (std::size_t row = first; row < end; ++row) best = std::fmax(best, shown(row));
  for (std::size_t row = first; row < end; ++row)
    table.rows[row][column].best = std::isfinite(best) && shown(row) == best;
}

}  // namespace ansatz
