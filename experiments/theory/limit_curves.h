// Errors that fall with a size, such as the distance of a network of finite width from its limit.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "experiments/experiment.h"
#include "experiments/results/findings.h"

namespace ansatz::experiments {

struct LimitCurve {
  std::string name;  ///< of its findings: "<name>.slope" of log error over log size, "<name>.error" at the largest size
  std::string label;  ///< for people
  std::string size;   ///< what grows: "width"
  std::vector<double> sizes, errors;
  std::vector<double> standard_errors = {};  ///< of each error, over its trials; empty with one trial
};

/// Several sizes, each larger than the one before; ConfigError otherwise.
std::vector<Index> parse_sizes(const Config& section, const char* key, const std::vector<Index>& fallback);

/// At each size the mean error over that many trials, each with a random stream of its own.
LimitCurve limit_curve(const std::string& name, const std::string& label, const std::string& size,
                       const std::vector<Index>& sizes, Index trials, const RandomStream& stream,
                       const std::function<double(Index, const RandomStream&)>& error);

/// Least-squares slope of log(error) over log(size).
double log_slope(const std::vector<double>& sizes, const std::vector<double>& errors);
/// Its standard error, to first order, from those of independent errors.
double log_slope_standard_error(const std::vector<double>& sizes, const std::vector<double>& errors,
                                const std::vector<double>& standard_errors);

/// The mean of some values; its standard error from their spread, if there are two or more.
struct MeanOfTrials {
  double mean = 0;
  std::optional<double> standard_error;
};
MeanOfTrials mean_of_trials(const std::vector<double>& values);

Finding finding_of(std::string name, std::string meaning, const MeanOfTrials& value);

std::vector<std::string> limit_finding_names(const std::string& curve);
std::vector<Finding> limit_findings(const LimitCurve& curve);

/// |A - B|_F / |B|_F.
double relative_error(const Matrix<double>& a, const Matrix<double>& b);

/// Both axes logarithmic, one line a curve.
void draw_limits(const std::string& title, const std::string& x_label, const std::vector<LimitCurve>& curves,
                 const std::filesystem::path& file);

}  // namespace ansatz::experiments
