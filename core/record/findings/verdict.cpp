#include "core/record/findings/verdict.h"

#include <cmath>

namespace ansatz {

const char* name_of(Verdict verdict) {
  static const char* const names[] = {"holds", "differs", "unclear"};
  return names[static_cast<int>(verdict)];
}

Verdict judge(double value, const std::optional<double>& standard_error, const Bound& bound) {
  if (std::isnan(value)) return Verdict::differs;
  if (!standard_error || !std::isfinite(*standard_error)) return Verdict::unclear;
  const double margin = kStandardErrors * *standard_error;
  const auto meets = [&](double v, double w) {
    return (!bound.at_least || v >= *bound.at_least) && (!bound.at_most || w <= *bound.at_most);
  };
  if (meets(value - margin, value + margin)) return Verdict::holds;
  return meets(value + margin, value - margin) ? Verdict::unclear : Verdict::differs;
}

}  // namespace ansatz
