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

LimitCurve limit_curve(const std::string& name, const std::string& label, const std::string& size,
                       const std::vector<Index>& sizes, Index trials, const RandomStream& stream,
                       const std::function<double(Index, const RandomStream&)>& error) {
  LimitCurve curve{name, label, size, {}, {}};
  for (const Index size : sizes) {
    std::vector<double> errors;
    for (Index trial = 0; trial < trials; ++trial)
      errors.push_back(error(size, stream.named(fmt::format("{}/{}/{}", name, size, trial))));
    const MeanOfTrials mean = mean_of_trials(errors);
    curve.sizes.push_back(static_cast<double>(size));
    curve.errors.push_back(mean.mean);
    if (mean.standard_error) curve.standard_errors.push_back(*mean.standard_error);
  }
  return curve;
}

namespace {

/// What the log of each error counts for in the slope: (x - mean x) / sum (x - mean x)^2 with x = log(size).
std::vector<double> slope_weights(const std::vector<double>& sizes) {
  double mean = 0, squares = 0;
  for (const double size : sizes) mean += std::log(size) / static_cast<double>(sizes.size());
  std::vector<double> weights;
  for (const double size : sizes) {
    weights.push_back(std::log(size) - mean);
    squares += weights.back() * weights.back();
  }
  for (double& weight : weights) weight /= squares;
  return weights;
}

}  // namespace

double log_slope(const std::vector<double>& sizes, const std::vector<double>& errors) {
  const std::vector<double> weights = slope_weights(sizes);
  double slope = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) slope += weights[i] * std::log(errors[i]);
  return slope;
}

double log_slope_standard_error(const std::vector<double>& sizes, const std::vector<double>& errors,
                                const std::vector<double>& standard_errors) {
  const std::vector<double> weights = slope_weights(sizes);
  double variance = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) variance += std::pow(weights[i] * standard_errors[i] / errors[i], 2);
  return std::sqrt(variance);
}

MeanOfTrials mean_of_trials(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  MeanOfTrials result;
  for (const double value : values) result.mean += value / n;
  if (values.size() < 2) return result;
  double squares = 0;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  result.standard_error = std::sqrt(squares / (n - 1) / n);
  return result;
}

Finding finding_of(std::string name, std::string meaning, const MeanOfTrials& value) {
  return {std::move(name), std::move(meaning), value.mean, "", value.standard_error};
}

std::vector<std::string> limit_finding_names(const std::string& curve) { return {curve + ".slope", curve + ".error"}; }

std::vector<Finding> limit_findings(const LimitCurve& curve) {
  Finding slope{curve.name + ".slope", curve.label + ": slope of the error", log_slope(curve.sizes, curve.errors)};
  Finding error{curve.name + ".error", curve.label + ": error at the largest " + curve.size, curve.errors.back()};
  if (!curve.standard_errors.empty()) {
    slope.standard_error = log_slope_standard_error(curve.sizes, curve.errors, curve.standard_errors);
    error.standard_error = curve.standard_errors.back();
  }
  return {slope, error};
}

double relative_error(const Matrix<double>& a, const Matrix<double>& b) { return (a - b).norm() / b.norm(); }

void draw_limits(const std::string& title, const std::string& x_label, const std::vector<LimitCurve>& curves,
                 const std::filesystem::path& file) {
  viz::LinePlot plot{title, x_label, "relative error", true, true, {}, {}, {}};
  for (const LimitCurve& curve : curves) plot.series.push_back({curve.label, curve.sizes, curve.errors, true});
  viz::draw_lines({plot}, file);
}

}  // namespace ansatz::experiments
