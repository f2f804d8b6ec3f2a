#include "experiments/benchmark/results/over_sets.h"

#include <cmath>
#include <limits>
#include <vector>

#include "core/record/findings/standard_errors.h"
#include "core/statistics/spread.h"

namespace ansatz::experiments {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<double> known(const Vector<double>& values) {
  std::vector<double> list;
  for (const double value : values)
    if (std::isfinite(value)) list.push_back(value);
  return list;
}

/// Of the mean of a - b.
std::optional<double> paired_error(const Vector<double>& a, const Vector<double>& b, MetricKind kind) {
  if (kind != MetricKind::share) return mean_over_sets(a - b).standard_error;
  std::vector<bool> is, other_is;
  for (Index i = 0; i < a.size(); ++i) {
    if (!std::isfinite(a(i)) || !std::isfinite(b(i))) continue;
    is.push_back(a(i) > 0.5);
    other_is.push_back(b(i) > 0.5);
  }
  return is.size() < 2 ? std::nullopt : std::optional(paired_standard_error(is, other_is));
}

}  // namespace

OverSets mean_over_sets(const Vector<double>& values) {
  const Spread spread = spread_of(known(values));
  if (spread.values.size() < 2) return {spread.mean};
  return {spread.mean, spread.sd / std::sqrt(static_cast<double>(spread.values.size()))};
}

OverSets share_over_sets(const Vector<double>& values) {
  const Spread spread = spread_of(known(values));
  if (spread.values.size() < 2) return {spread.mean};
  return {spread.mean, accuracy_standard_error(spread.mean, static_cast<Index>(spread.values.size()))};
}

Lead lead_over_best(const Matrix<double>& by_set, Index method, MetricKind kind) {
  const double sign = kind == MetricKind::rank ? -1 : 1;
  const auto mean = [&](Index column) { return sign * mean_over_sets(by_set.col(column)).value; };
  Lead lead{-1, {kNaN}};
  for (Index j = 0; j < by_set.cols(); ++j)
    if (j != method && std::isfinite(mean(j)) && (lead.other < 0 || mean(j) > mean(lead.other))) lead.other = j;
  if (lead.other < 0) return lead;
  lead.difference = {mean(method) - mean(lead.other), paired_error(by_set.col(method), by_set.col(lead.other), kind)};
  return lead;
}

OverSets ratio_over_sets(const Vector<double>& a, const Vector<double>& b) {
  const auto counts = [&](Index i) { return a(i) > 0 && b(i) > 0; };
  double sum_a = 0, sum_b = 0, n = 0;
  for (Index i = 0; i < a.size(); ++i)
    if (counts(i)) sum_a += a(i), sum_b += b(i), n += 1;
  if (n == 0) return {kNaN};
  const double ratio = sum_a / sum_b;
  if (n < 2) return {ratio};
  double squares = 0;
  for (Index i = 0; i < a.size(); ++i)
    if (counts(i)) squares += std::pow(a(i) - ratio * b(i), 2);
  return {ratio, std::sqrt(n / (n - 1) * squares) / sum_b};
}

}  // namespace ansatz::experiments
