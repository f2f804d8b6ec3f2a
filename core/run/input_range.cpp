#include "core/run/input_range.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/data/normalization.h"

namespace ansatz {
namespace {

/// "area", "city=Paris", ...; empty where there is no table.
std::vector<std::string> names_of(const InputTransform& transform) {
  std::vector<std::string> names;
  if (!transform.table) return names;
  for (const TableSchema::Column& column : transform.table->columns) {
    if (column.categories.empty()) names.push_back(column.name);
    for (const std::string& category : column.categories) names.push_back(column.name + "=" + category);
  }
  return names;
}

struct Outside {
  Index outside = 0, far = 0;  ///< rows
  double worst = 0, distance = 0;
};

template <class Scalar>
Outside outside_of(const Matrix<Scalar>& inputs, Index column, double low, double high) {
  const double slack = 1e-6 * (high - low);  // rounding
  Outside seen;
  for (Index i = 0; i < inputs.rows(); ++i) {
    const auto value = static_cast<double>(inputs(i, column));
    const double distance = std::max(low - value, value - high);
    if (!(distance > slack)) continue;
    ++seen.outside;
    seen.far += distance > high - low;
    if (distance > seen.distance) {
      seen.distance = distance;
      seen.worst = value;
    }
  }
  return seen;
}

}  // namespace

template <class Scalar>
InputRange range_of(const Matrix<Scalar>& inputs) {
  if (inputs.rows() == 0) return {};
  return {inputs.colwise().minCoeff().template cast<double>().array(),
          inputs.colwise().maxCoeff().template cast<double>().array()};
}

template <class Scalar>
std::vector<std::string> unfamiliar_inputs(const Matrix<Scalar>& inputs, const InputRange& range,
                                           const InputTransform& transform) {
  constexpr std::size_t kShown = 5;
  constexpr Index kEnough = 5;
  std::vector<std::string> sentences;
  if (range.low.size() != inputs.cols() || range.high.size() != inputs.cols()) return sentences;
  const std::vector<std::string> names = names_of(transform);
  const bool scaled = transform.shift.size() == inputs.cols();
  for (Index j = 0; j < inputs.cols() && sentences.size() < kShown; ++j) {
    const Outside seen = outside_of(inputs, j, range.low[j], range.high[j]);
    const bool most = seen.outside >= kEnough && 2 * seen.outside > inputs.rows();
    if (seen.far == 0 && !most) continue;
    const auto in_file = [&](double x) { return scaled ? x * transform.scale[j] + transform.shift[j] : x; };
    sentences.push_back(fmt::format(
        "column {}: {} of {} values lie outside of the {:.6g} to {:.6g} of the training rows, the farthest at {:.6g}; "
        "is it another unit, decimal mark or column? The model has seen nothing like them",
        column_in_words(names, j), seen.outside, inputs.rows(), in_file(range.low[j]), in_file(range.high[j]),
        in_file(seen.worst)));
  }
  return sentences;
}

#define ANSATZ_INSTANTIATE(Scalar)                     \
  template InputRange range_of(const Matrix<Scalar>&); \
  template std::vector<std::string> unfamiliar_inputs(const Matrix<Scalar>&, const InputRange&, const InputTransform&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz
