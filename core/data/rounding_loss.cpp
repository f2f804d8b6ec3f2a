#include "core/data/rounding_loss.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ansatz {
namespace {

constexpr double kUnits = 4;      // what varies by less than so many epsilon is constant
constexpr Index kSampled = 2048;  // rows
constexpr Index kSampledValues = 1 << 21;
constexpr Index kNeighbours = 20;  // the neighbourhood of a value is 1/20 of all values to either side

Index stride_of(Index rows, Index columns) {
  const Index most = std::max<Index>(1, std::min(kSampled, kSampledValues / std::max<Index>(1, columns)));
  return std::max<Index>(1, (rows + most - 1) / most);
}

}  // namespace

RoundingLoss::RoundingLoss(Index rows, Index columns)
    : stride_(stride_of(rows, columns)),
      sample_((rows + stride_ - 1) / stride_, columns),
      sample_error_(sample_.rows(), columns) {}

void RoundingLoss::add(Index first, const Matrix<double>& values, const Matrix<double>& rounded) {
  if (count_ == 0) {
    origin_ = values.row(0).array();
    value_ = value_square_ = error_ = error_square_ = largest_ = Row::Zero(values.cols());
  }
  for (Index i = 0; i < values.rows(); ++i) {
    const Row error = values.row(i).array() - rounded.row(i).array(), value = values.row(i).array() - origin_;
    value_ += value;
    value_square_ += value.square();
    error_ += error;
    error_square_ += error.square();
    largest_ = largest_.max(values.row(i).array().abs());
    if ((first + i) % stride_ != 0) continue;
    sample_.row(sampled_) = values.row(i);
    sample_error_.row(sampled_++) = error;
  }
  count_ += static_cast<double>(values.rows());
}

double RoundingLoss::overall(Index j, double epsilon) const {
  const auto variance = [&](const Row& sum, const Row& square) {
    return std::max(0.0, square[j] / count_ - (sum[j] / count_) * (sum[j] / count_));
  };
  if (largest_[j] > 0 && static_cast<float>(largest_[j]) == 0) return 1;  // squares may vanish even in double
  const double of_values = variance(value_, value_square_);
  if (!(of_values > std::pow(kUnits * epsilon * origin_[j], 2))) return 0;
  return std::sqrt(variance(error_, error_square_) / of_values);
}

/// The window around a value holds a tenth of all values. Its width is converted into a standard deviation as for a
/// uniform distribution, whose width is sqrt(12) standard deviations.
double RoundingLoss::local(Index j, double epsilon) const {
  const Index m = sampled_, reach = std::max<Index>(1, m / kNeighbours);
  if (m <= 2 * reach) return 0;
  std::vector<Index> order(static_cast<std::size_t>(m));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return sample_(a, j) < sample_(b, j); });
  const auto value = [&](Index rank) { return sample_(order[static_cast<std::size_t>(rank)], j); };
  const double deviations = static_cast<double>(m) / (static_cast<double>(2 * reach) * std::sqrt(12.0));
  double sum = 0;
  for (Index rank = 0; rank < m; ++rank) {
    const Index low = std::clamp<Index>(rank - reach, 0, m - 1 - 2 * reach);
    const double width = value(low + 2 * reach) - value(low);
    if (!(width > kUnits * epsilon * std::abs(value(rank)))) continue;
    const double share = sample_error_(order[static_cast<std::size_t>(rank)], j) / (deviations * width);
    sum += std::min(1.0, share * share);
  }
  return std::sqrt(sum / static_cast<double>(m));
}

RoundingShare RoundingLoss::share(double epsilon) const {
  RoundingShare result;
  for (Index j = 0; j < value_.size(); ++j) {
    result.overall.push_back(overall(j, epsilon));
    result.local.push_back(local(j, epsilon));
  }
  return result;
}

}  // namespace ansatz
