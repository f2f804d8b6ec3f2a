#include "experiments/options/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "experiments/options/random_search.h"

namespace ansatz::experiments {
namespace {

constexpr const char* kForms =
    "must be a list of values, {log: [first, last, count]} or {linear: [first, last, count]}";
const std::vector<std::string> kSearchKeys = {"search", "trials", "seed"};

/// Whether a config would read both as one value.
bool same_value(const std::string& a, const std::string& b) {
  return a == b || (number_in(a) && number_in(a) == number_in(b));
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
  return std::any_of(keys.begin(), keys.end(), [](const std::string& k) {
    return k == "log" || k == "linear" || k == "log_uniform" || k == "uniform";
  });
}

GridAxis parse_axis(const Config& section, const std::string& key, const std::string& path) {
  GridAxis axis{path, {}, false};
  if (section.form(key) == Config::Form::list) {
    axis.values = section.get_values(key);
    if (axis.values.empty()) section.fail(key, "holds no value");
    return axis;
  }
  const Config spacing = section.section(key);
  for (const char* drawn : {"log_uniform", "uniform"})
    if (spacing.has(drawn)) spacing.fail(drawn, "is drawn from: it needs search: random beside the keys");
  axis.logarithmic = spacing.has("log");
  if (axis.logarithmic && spacing.has("linear")) section.fail(key, "give log or linear, not both");
  axis.values = axis.logarithmic ? log_spaced(parse_range(spacing, "log", 1e-30))
                                 : linearly_spaced(parse_range(spacing, "linear", -Config::kLargestNumber));
  return axis;
}

/// `seed: [0, 1, 2]` are values of the key seed; `seed: 3` is that of the search.
bool is_search_key(const Config& section, const std::string& key) {
  return section.form(key) == Config::Form::scalar &&
         std::find(kSearchKeys.begin(), kSearchKeys.end(), key) != kSearchKeys.end();
}

using TakeAxis = std::function<void(const Config& section, const std::string& key, const std::string& path)>;

/// Every axis, with its path, in the order in which they stand.
void for_each_axis(const Config& section, const std::string& prefix, const TakeAxis& take) {
  for (const std::string& key : section.keys()) {
    if (!section.has(key) || (prefix.empty() && is_search_key(section, key))) continue;  // null
    if (is_axis(section, key)) {
      take(section, key, prefix + key);
    } else {
      for_each_axis(section.section(key), prefix + key + ".", take);
    }
  }
}

template <class Axis>
void add_axis(const Config& section, const std::string& key, Axis axis, std::vector<Axis>& axes) {
  if (std::any_of(axes.begin(), axes.end(), [&](const Axis& other) { return other.key == axis.key; }))
    section.fail(key, axis.key + " is there twice");
  axes.push_back(std::move(axis));
}

DrawnAxis parse_drawn_axis(const Config& section, const std::string& key, const std::string& path) {
  DrawnAxis axis{path, {}, {}, false, section.where(key)};
  const bool list = section.form(key) == Config::Form::list;
  const Config range = list ? section : section.section(key);
  axis.logarithmic = !list && range.has("log_uniform");
  if (!axis.logarithmic && (list || !range.has("uniform"))) {
    axis.choices = parse_axis(section, key, path).values;
    require_different(section, key, axis.choices);
    return axis;
  }
  const char* const spacing = axis.logarithmic ? "log_uniform" : "uniform";
  if (axis.logarithmic && range.has("uniform")) section.fail(key, "give uniform or log_uniform, not both");
  axis.bounds = range.get_values(spacing);
  if (axis.bounds.size() != 2) range.fail(spacing, "must be [low, high]");
  return axis;
}

Grid parse_random_search(const Config& section) {
  const Index trials = section.get_at_least("trials", Index{50}, Index{1}, kMostCells);
  const Index seed = section.get_at_least("seed", Index{0}, Index{0});
  std::vector<DrawnAxis> axes;
  for_each_axis(section, "", [&](const Config& part, const std::string& key, const std::string& path) {
    add_axis(part, key, parse_drawn_axis(part, key, path), axes);
  });
  if (axes.empty()) section.fail("", "names no key; write for example rfm.bandwidth: {log_uniform: [0.5, 200]}");
  Grid grid;
  grid.drawn = draw_cells(axes, trials, RandomStream(static_cast<std::uint64_t>(seed)).named("random search"));
  if (static_cast<Index>(grid.drawn.size()) < trials)
    section.fail("trials", fmt::format("is {}, and these keys have only {} different values together; use search: grid",
                                       trials, grid.drawn.size()));
  for (std::size_t i = 0; i < axes.size(); ++i) grid.axes.push_back(values_drawn(axes[i], grid.drawn, i));
  return grid;
}

}  // namespace

Index Grid::cells() const {
  if (!drawn.empty()) return static_cast<Index>(drawn.size());
  Index cells = 1;
  for (const GridAxis& axis : axes) cells *= static_cast<Index>(axis.values.size());
  return cells;
}

std::vector<std::string> Grid::values(Index cell) const {
  if (!drawn.empty()) return drawn[static_cast<std::size_t>(cell)];
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
  if (section.has("search") && section.get_choice("search", "grid", {"grid", "random"}) == "random")
    return parse_random_search(section);
  Grid grid;
  for_each_axis(section, "", [&](const Config& part, const std::string& key, const std::string& path) {
    add_axis(part, key, parse_axis(part, key, path), grid.axes);
    require_different(part, key, grid.axes.back().values);
  });
  if (grid.axes.empty()) section.fail("", "names no key; write for example rfm.ridge: {log: [1e-6, 1, 7]}");
  double cells = 1;
  for (const GridAxis& axis : grid.axes) cells *= static_cast<double>(axis.values.size());
  if (cells > static_cast<double>(kMostCells))
    section.fail("", fmt::format("has {:.0f} cells; at most {} are tried", cells, kMostCells));
  return grid;
}

}  // namespace ansatz::experiments
