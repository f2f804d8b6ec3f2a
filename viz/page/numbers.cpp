#include "viz/page/numbers.h"

#include <fmt/format.h>

#include <cmath>

#include "viz/canvas/text.h"

namespace ansatz::viz {

bool in_powers_of_ten(double value) {
  const double size = std::fabs(value);
  return size != 0 && (size < 1e-3 || size >= 1e6);
}

std::string number(double value, int digits) {
  if (!std::isfinite(value)) return "–";
  if (in_powers_of_ten(value)) return format_number(value, 2);
  return (value < 0 ? "−" : "") + fmt::format("{:.{}f}", std::fabs(value), digits);
}

std::string degrees(double angle) { return std::isfinite(angle) ? fmt::format("{:.1f}°", angle) : "–"; }

std::string score(const std::optional<Metrics>& metrics) {
  if (!metrics) return "–";
  return metrics->accuracy ? fmt::format("{:.2f} %", 100 * *metrics->accuracy) : number(metrics->r2, 4);
}

std::string readable(const FeatureId& id) {
  return id.kind == FeatureId::Kind::rfm ? fmt::format("RFM M<sub>{}</sub>", id.iteration) : id.label();
}

}  // namespace ansatz::viz
