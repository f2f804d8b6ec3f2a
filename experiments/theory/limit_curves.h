// Errors that fall with a size, such as the distance of a network of finite width from its limit.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "experiments/experiment.h"
#include "experiments/results/findings.h"

namespace ansatz::experiments {

struct LimitCurve {
  std::string name;  ///< of its findings: "<name>.slope" of log error over log size, "<name>.error" at the largest size
  std::string label;  ///< for people
  std::vector<double> sizes, errors;
};

/// Several sizes, each larger than the one before; ConfigError otherwise.
std::vector<Index> parse_sizes(const Config& section, const char* key, const std::vector<Index>& fallback);

/// At each size the mean error over that many trials, each with a random stream of its own.
LimitCurve limit_curve(const std::string& name, const std::string& label, const std::vector<Index>& sizes, Index trials,
                       const RandomStream& stream, const std::function<double(Index, const RandomStream&)>& error);

/// Least-squares slope of log(error) over log(size).
double log_slope(const std::vector<double>& sizes, const std::vector<double>& errors);

std::vector<std::string> limit_finding_names(const std::string& curve);
std::vector<Finding> limit_findings(const LimitCurve& curve);

/// |A - B|_F / |B|_F.
double relative_error(const Matrix<double>& a, const Matrix<double>& b);

/// Both axes logarithmic, one line a curve.
void draw_limits(const std::string& title, const std::string& x_label, const std::vector<LimitCurve>& curves,
                 const std::filesystem::path& file);

}  // namespace ansatz::experiments
