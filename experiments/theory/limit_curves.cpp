#include "experiments/theory/limit_curves.h"

#include <fmt/format.h>

#include <cmath>

#include "viz/plots/figures.h"

namespace ansatz::experiments {

std::vector<Index> parse_sizes(const Config& section, const char* key, const std::vector<Index>& fallback) {
  const std::vector<Index> values = section.get_list(key, fallback, 2);
  for (std::size_t i = 1; i < values.size(); ++i)
    if (values[i] <= values[i - 1]) section.fail(key, "must be increasing, from 2 on");
  if (values.size() < 2) section.fail(key, "must name at least two");
  return values;
}

LimitCurve limit_curve(const std::string& name, const std::string& label, const std::vector<Index>& sizes, Index trials,
                       const RandomStream& stream, const std::function<double(Index, const RandomStream&)>& error) {
  LimitCurve curve{name, label, {}, {}};
  for (const Index size : sizes) {
    double sum = 0;
    for (Index trial = 0; trial < trials; ++trial)
      sum += error(size, stream.named(fmt::format("{}/{}/{}", name, size, trial)));
    curve.sizes.push_back(static_cast<double>(size));
    curve.errors.push_back(sum / static_cast<double>(trials));
  }
  return curve;
}

double log_slope(const std::vector<double>& sizes, const std::vector<double>& errors) {
  const auto n = static_cast<double>(sizes.size());
  double mean_x = 0, mean_y = 0, xy = 0, xx = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    mean_x += std::log(sizes[i]) / n;
    mean_y += std::log(errors[i]) / n;
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double x = std::log(sizes[i]) - mean_x;
    xy += x * (std::log(errors[i]) - mean_y);
    xx += x * x;
  }
  return xy / xx;
}

std::vector<std::string> limit_finding_names(const std::string& curve) { return {curve + ".slope", curve + ".error"}; }

std::vector<Finding> limit_findings(const LimitCurve& curve) {
  return {{curve.name + ".slope", curve.label + ": slope of the error", log_slope(curve.sizes, curve.errors)},
          {curve.name + ".error", curve.label + ": error at the largest", curve.errors.back()}};
}

double relative_error(const Matrix<double>& a, const Matrix<double>& b) { return (a - b).norm() / b.norm(); }

void draw_limits(const std::string& title, const std::string& x_label, const std::vector<LimitCurve>& curves,
                 const std::filesystem::path& file) {
  viz::LinePlot plot{title, x_label, "relative error", true, true, {}, {}, {}};
  for (const LimitCurve& curve : curves) plot.series.push_back({curve.label, curve.sizes, curve.errors, true});
  viz::draw_lines({plot}, file);
}

}  // namespace ansatz::experiments
