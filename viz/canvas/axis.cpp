#include "viz/canvas/axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "viz/canvas/text.h"

namespace ansatz::viz {
namespace {

constexpr double kSlack = 1e-9;     ///< relative to a step or range, so that ticks on the ends survive rounding
constexpr double kFewLabels = 0.7;  ///< decades in which 1, 2 and 5 may leave but two labels

/// The smallest of 1, 2, 5 times a power of ten that is at least `rough`.
double nice_step(double rough) {
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough * (1 - kSlack)) return factor * power;
  return 10 * power;
}

std::string fixed(double value, int decimals) {
  std::array<char, 64> buffer;
  std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, std::abs(value));
  return (value < 0 ? "−" : "") + std::string(buffer.data());
}

/// The label of a tick. All labels of an axis are alike: plain figures if these are short, otherwise figures with the
/// same power of ten.
std::string tick_label(double value, double step, double largest) {
  if (std::abs(value) < kSlack * step) return "0";
  const int step_exponent = static_cast<int>(std::floor(std::log10(step) + kSlack));
  const int exponent = static_cast<int>(std::floor(std::log10(largest) + kSlack));
  if (step_exponent >= -4 && exponent < 5 && exponent >= -3) return fixed(value, std::max(0, -step_exponent));
  const std::string mantissa = fixed(value / std::pow(10, exponent), std::max(0, exponent - step_exponent));
  if (mantissa == "1") return power_of_ten(exponent);
  return mantissa + "×" + power_of_ten(exponent);
}

void add_log_tick(Axis& axis, int factor, int exponent, bool labelled) {
  const double at = factor * std::pow(10.0, exponent);
  if (at < axis.low * (1 - kSlack) || at > axis.high * (1 + kSlack)) return;
  std::string label;
  if (labelled) label = factor == 1 && (exponent < -2 || exponent > 3) ? power_of_ten(exponent) : format_number(at, 2);
  axis.ticks.push_back({at, label});
}

}  // namespace

double Axis::position(double value) const {
  return log ? std::log(value / low) / std::log(high / low) : (value / 2 - low / 2) / (high / 2 - low / 2);
}

double Axis::label_width(double font_size) const {
  double width = 0;
  for (const Tick& tick : ticks) width = std::max(width, text_width(tick.label, font_size));
  return width;
}

Axis linear_axis(double low, double high, int most, bool whole) {
  Axis axis{low, high, false, {}};
  const double count = std::max(1, most), largest = std::max(std::abs(low), std::abs(high));
  const double rough = 2 * ((high / 2 - low / 2) / count);
  // Closer ticks, or ticks that no double separates, would all have the same label.
  constexpr double kNarrowest = 1e-12;
  if (!std::isnormal(rough) || rough < kNarrowest * largest) return axis;
  double step = nice_step(rough);
  if (whole) step = std::max(1.0, step);
  for (double i = std::ceil(low / step - kSlack); i * step <= high + kSlack * step; ++i)
    axis.ticks.push_back({i * step, tick_label(i * step, step, largest)});
  return axis;
}

Axis log_axis(double low, double high, int most) {
  Axis axis{low, high, true, {}};
  const int first = static_cast<int>(std::floor(std::log10(low))), last = static_cast<int>(std::ceil(std::log10(high)));
  const double decades = std::log10(high / low);
  const bool fine = decades < 2.2, finest = decades < kFewLabels;
  const int every = std::max(1, static_cast<int>(std::ceil(decades / std::max(1, most))));
  for (int e = first; e <= last; ++e) {
    for (int factor = 1; factor < 10; ++factor) {
      if (factor > 1 && every > 1) break;
      const bool labelled =
          factor == 1 ? e % every == 0 : (fine && (factor == 2 || factor == 5)) || (finest && factor % 2 == 0);
      add_log_tick(axis, factor, e, labelled);
    }
  }
  const auto labelled = [](const Tick& t) { return !t.label.empty(); };
  if (std::count_if(axis.ticks.begin(), axis.ticks.end(), labelled) <
      2)  // less than a factor 2: take the ticks of a linear axis
    axis.ticks = linear_axis(low, high, most).ticks;
  return axis;
}

}  // namespace ansatz::viz
