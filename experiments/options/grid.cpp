#include "experiments/options/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace ansatz::experiments {
namespace {

constexpr const char* kForms =
    "must be a list of values, {log: [first, last, count]} or {linear: [first, last, count]}";

/// Six digits, or the whole number that it is.
std::string rounded(double value) {
  constexpr double kExact = 9007199254740992;  // 2^53
  const double whole = std::round(value);
  const bool is_whole = std::fabs(value - whole) <= 1e-9 * std::fabs(whole) && std::fabs(whole) < kExact;
  return is_whole && std::fabs(whole) >= 1e5 ? fmt::format("{:.0f}", whole) : fmt::format("{:.6g}", value);
}

/// Whether a config would read both as one value.
bool same_value(const std::string& a, const std::string& b) {
  const auto number = [](const std::string& text) {
    double value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && rest == text.data() + text.size() ? std::optional(value) : std::nullopt;
  };
  return a == b || (number(a) && number(a) == number(b));
}

void require_different(const Config& section, const std::string& key, const std::vector<std::string>& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (same_value(values[i], values[j]))
        section.fail(key, "holds " + values[i] + " twice" +
                              (section.form(key) == Config::Form::list ? "" : " (its values are too close together)"));
}

/// `count` values from first to last, whose `to` are spaced evenly.
template <class To, class From>
std::vector<std::string> spaced(const std::vector<double>& range, To to, From from) {
  const double begin = to(range[0]), end = to(range[1]);
  const auto count = static_cast<int>(range[2]);
  std::vector<std::string> values;
  for (int i = 0; i < count; ++i) values.push_back(rounded(from(begin + (end - begin) * i / (count - 1))));
  return values;
}

std::vector<std::string> log_spaced(const std::vector<double>& range) {
  return spaced(
      range, [](double x) { return std::log10(x); }, [](double x) { return std::pow(10.0, x); });
}

std::vector<std::string> linearly_spaced(const std::vector<double>& range) {
  return spaced(
      range, [](double x) { return x; }, [](double x) { return x; });
}

/// [first, last, count] of `section`'s key `spacing`.
std::vector<double> parse_range(const Config& section, const char* spacing, double low) {
  const std::vector<double> range = section.get_list(spacing, std::vector<double>{}, low);
  if (range.size() != 3) section.fail(spacing, "must be [first, last, count]");
  if (!(range[2] >= 2 && range[2] <= static_cast<double>(kMostCells) && range[2] == std::floor(range[2])))
    section.fail(spacing, fmt::format("the count must be an integer from 2 to {}", kMostCells));
  if (range[0] == range[1]) section.fail(spacing, "first and last value must differ");
  return range;
}

bool is_axis(const Config& section, const std::string& key) {
  if (section.form(key) == Config::Form::list) return true;
  if (section.form(key) != Config::Form::mapping) section.fail(key, kForms);
  const std::vector<std::string> keys = section.section(key).keys();
  return std::any_of(keys.begin(), keys.end(), [](const std::string& k) { return k == "log" || k == "linear"; });
}

GridAxis parse_axis(const Config& section, const std::string& key, const std::string& path) {
  GridAxis axis{path, {}, false};
  if (section.form(key) == Config::Form::list) {
    axis.values = section.get_values(key);
    if (axis.values.empty()) section.fail(key, "holds no value");
    return axis;
  }
  const Config spacing = section.section(key);
  axis.logarithmic = spacing.has("log");
  if (axis.logarithmic && spacing.has("linear")) section.fail(key, "give log or linear, not both");
  axis.values = axis.logarithmic ? log_spaced(parse_range(spacing, "log", 1e-30))
                                 : linearly_spaced(parse_range(spacing, "linear", -Config::kLargestNumber));
  return axis;
}

void add_axes(const Config& section, const std::string& prefix, Grid& grid) {
  for (const std::string& key : section.keys()) {
    if (!section.has(key)) continue;  // null
    const std::string path = prefix + key;
    if (!is_axis(section, key)) {
      add_axes(section.section(key), path + ".", grid);
      continue;
    }
    if (std::any_of(grid.axes.begin(), grid.axes.end(), [&](const GridAxis& axis) { return axis.key == path; }))
      section.fail(key, path + " is there twice");
    grid.axes.push_back(parse_axis(section, key, path));
    require_different(section, key, grid.axes.back().values);
  }
}

}  // namespace

Index Grid::cells() const {
  Index cells = 1;
  for (const GridAxis& axis : axes) cells *= static_cast<Index>(axis.values.size());
  return cells;
}

std::vector<std::string> Grid::values(Index cell) const {
  std::vector<std::string> values(axes.size());
  for (std::size_t axis = axes.size(); axis-- > 0;) {
    const auto count = static_cast<Index>(axes[axis].values.size());
    values[axis] = axes[axis].values[static_cast<std::size_t>(cell % count)];
    cell /= count;
  }
  return values;
}

std::vector<std::string> Grid::assignments(Index cell) const {
  std::vector<std::string> assignments = values(cell);
  for (std::size_t axis = 0; axis < axes.size(); ++axis) assignments[axis] = axes[axis].key + "=" + assignments[axis];
  return assignments;
}

std::string Grid::describe(Index cell) const {
  std::string text;
  for (const std::string& assignment : assignments(cell)) text += (text.empty() ? "" : ", ") + assignment;
  return text;
}

Grid parse_grid(const Config& section) {
  Grid grid;
  add_axes(section, "", grid);
  if (grid.axes.empty()) section.fail("", "names no key; write for example rfm.ridge: {log: [1e-6, 1, 7]}");
  double cells = 1;
  for (const GridAxis& axis : grid.axes) cells *= static_cast<double>(axis.values.size());
  if (cells > static_cast<double>(kMostCells))
    section.fail("", fmt::format("has {:.0f} cells; at most {} are tried", cells, kMostCells));
  return grid;
}

}  // namespace ansatz::experiments
