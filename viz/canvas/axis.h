// The range of an axis and where its ticks stand. Internal to viz/.
#pragma once

#include <string>
#include <vector>

namespace ansatz::viz {

struct Tick {
  double at = 0;
  std::string label;  ///< empty: a minor tick
};

struct Axis {
  double low = 0, high = 1;
  bool log = false;
  std::vector<Tick> ticks;  ///< within [low, high]

  double position(double value) const;         ///< 0 at low, 1 at high
  double label_width(double font_size) const;  ///< of the widest label
};

/// Ticks at multiples of 1, 2 or 5 times a power of ten, at most about `most` of them, labels with common decimals (and
/// a common power of ten where plain figures would be long). `whole`: no fractions.
Axis linear_axis(double low, double high, int most, bool whole = false);

/// `low` > 0. Ticks at powers of ten with minor ones between; ranges within one or two decades get 1-2-5 labels.
Axis log_axis(double low, double high, int most);

}  // namespace ansatz::viz
