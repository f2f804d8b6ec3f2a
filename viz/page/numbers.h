// How numbers and names of feature matrices are written for people. Internal to viz/.
#pragma once

#include <optional>
#include <string>

#include "core/data/metrics.h"
#include "core/features/feature_id.h"

namespace ansatz::viz {

bool in_powers_of_ten(double value);               ///< whether a number is said as 2.5×10⁻⁷
std::string number(double value, int digits = 3);  ///< for people; a dash for what is not finite
std::string degrees(double angle);                 ///< "12.3°"; what only rounding makes is 0.0°
std::string score(
    const std::optional<Metrics>& metrics);  ///< "84.50 %" (on one line), or R²; a dash where there is none
std::string readable(const FeatureId& id);   ///< HTML: "network W₁ᵀW₁", where the file says "network.nfm"

}  // namespace ansatz::viz
