// Whether a number bears out a sentence, given how sure the number is.
#pragma once

#include <optional>

namespace ansatz {

enum class Verdict { holds, differs, unclear };

const char* name_of(Verdict verdict);  ///< "holds", "differs", "unclear"

/// A number at least and at most as large; both included.
struct Bound {
  std::optional<double> at_least = {}, at_most = {};

  bool given() const { return at_least || at_most; }
};

/// How many standard errors a value must keep from a bound for a verdict.
inline constexpr double kStandardErrors = 2;

/// `holds` if the value keeps kStandardErrors standard errors from the bound on its right side, `differs` if on its
/// wrong side; `unclear` between, and without a standard error, since nobody knows then what another seed would say. A
/// value that is NaN differs.
Verdict judge(double value, const std::optional<double>& standard_error, const Bound& bound);

}  // namespace ansatz
