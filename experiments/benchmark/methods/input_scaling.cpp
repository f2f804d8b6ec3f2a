#include "experiments/benchmark/methods/input_scaling.h"

#include <algorithm>
#include <cmath>

#include "core/data/normalization.h"
#include "core/machine/parallel.h"
#include "core/statistics/normal_quantile.h"

namespace ansatz::experiments {
namespace {

constexpr Index kMostQuantiles = 1000;
constexpr double kNearEnd = 1e-7;  ///< of probabilities: beyond it quantiles are cut; of values: at the ends

/// Rows that are in memory, for what learns from tables.
TableRows rows_of(const Matrix<double>& x) {
  TableRows rows;
  rows.read = [&x](const std::vector<Index>& wanted, const TableRows::Take& take) {
    Matrix<double> block(static_cast<Index>(wanted.size()), x.cols());
    for (std::size_t i = 0; i < wanted.size(); ++i) block.row(static_cast<Index>(i)) = x.row(wanted[i]);
    take(0, block);
  };
  return rows;
}

InputTransform learned(Normalization kind, const Matrix<double>& train) {
  std::vector<Index> all(static_cast<std::size_t>(train.rows()));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Index>(i);
  return TableScaling(rows_of(train), all, {}, kind, /*fill_missing=*/train.hasNaN()).transform();
}

Normalization linear_part(ScalingKind kind) {
  switch (kind) {
    case ScalingKind::unit_norm:
      return Normalization::unit_norm;
    case ScalingKind::standardize:
      return Normalization::standardize;
    case ScalingKind::none:
    case ScalingKind::quantile_normal:
      break;
  }
  return Normalization::none;
}

/// Evenly spaced quantiles of the values, the least and the largest included, interpolated linearly.
Vector<double> quantiles_of(Vector<double> values) {
  std::sort(values.data(), values.data() + values.size());
  const Index count = std::min(kMostQuantiles, values.size());
  Vector<double> quantiles(count);
  for (Index k = 0; k < count; ++k) {
    const double at =
        count == 1 ? 0.0
                   : static_cast<double>(k) / static_cast<double>(count - 1) * static_cast<double>(values.size() - 1);
    const Index below = std::min(static_cast<Index>(at), values.size() - 1),
                above = std::min(below + 1, values.size() - 1);
    quantiles[k] = values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
  }
  return quantiles;
}

/// Where in 0..1 the value lies among the quantiles: of equal ones in the middle.
double probability(const Vector<double>& quantiles, double value) {
  const double *begin = quantiles.data(), *end = begin + quantiles.size();
  if (value + kNearEnd > end[-1]) return value - kNearEnd < *begin ? 0.5 : 1;  // a constant column is in the middle
  if (value - kNearEnd < *begin) return 0;
  const double *low = std::lower_bound(begin, end, value), *high = std::upper_bound(begin, end, value);
  const auto place = [&](const double* p) { return static_cast<double>(p - begin); };
  const double among =
      low != high ? (place(low) + place(high - 1)) / 2 : place(low) - (*low - value) / (*low - low[-1]);
  return among / static_cast<double>(quantiles.size() - 1);
}

}  // namespace

ScalingKind parse_scaling(const Config& section, const char* fallback) {
  return section.get_choice<ScalingKind>("scaling", fallback,
                                         {{"none", ScalingKind::none},
                                          {"unit_norm", ScalingKind::unit_norm},
                                          {"standardize", ScalingKind::standardize},
                                          {"quantile_normal", ScalingKind::quantile_normal}});
}

InputScaling::InputScaling(ScalingKind kind, const Matrix<double>& train)
    : transform_(learned(linear_part(kind), train)) {
  if (kind != ScalingKind::quantile_normal) return;
  Matrix<double> filled = train;
  transform_.apply(filled);
  for (Index j = 0; j < filled.cols(); ++j) quantiles_.push_back(quantiles_of(filled.col(j)));
}

Matrix<double> InputScaling::apply(Matrix<double> inputs) const {
  transform_.apply(inputs);
  if (quantiles_.empty()) return inputs;
  parallel_tiles(inputs.rows(), 64, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      for (Index j = 0; j < inputs.cols(); ++j) {
        const double p = probability(quantiles_[static_cast<std::size_t>(j)], inputs(i, j));
        inputs(i, j) = normal_quantile(std::clamp(p, kNearEnd, 1 - kNearEnd));
      }
  });
  return inputs;
}

}  // namespace ansatz::experiments
