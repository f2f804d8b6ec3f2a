#include "core/data/value_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"

namespace ansatz {
namespace {

/// The length of a row in this unit, computed so that squares do not overflow double if that can be avoided.
template <class Scalar>
double length(const Matrix<Scalar>& x, Index row, double unit) {
  const double largest = static_cast<double>(x.row(row).cwiseAbs().maxCoeff());
  if (!(largest > 0)) return 0;
  return largest / unit * std::sqrt((x.row(row).template cast<double>() / largest).squaredNorm());
}

}  // namespace

template <class Scalar>
double unit_of_inputs(const Matrix<Scalar>& train) {
  constexpr double kFar = sizeof(Scalar) == 4 ? 1e10 : 1e100;
  constexpr Index kSample = 65;
  const Index count = std::min(train.rows(), kSample);
  std::vector<double> lengths;
  for (Index i = 0; i < count; ++i) lengths.push_back(length(train, i * train.rows() / count, 1));
  if (lengths.empty()) return 1;
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle > 0 && (*middle < 1 / kFar || *middle > kFar) ? *middle : 1;
}

template <class Scalar>
void require_inputs_in_range(const TableRows& table, const std::vector<Index>& rows, const Matrix<Scalar>& values,
                             double unit) {
  const double longest = std::sqrt(static_cast<double>(std::numeric_limits<Scalar>::max())) / 2;  // two are added
  for (Index i = 0; i < values.rows(); ++i) {
    if (length(values, i, unit) < longest) continue;
    Index column = 0;
    values.row(i).cwiseAbs().maxCoeff(&column);
    throw DataError(
        fmt::format("{}: {:.6g} is so large{} that its square is beyond {}; mend it, or use normalize: standardize{}",
                    table.where(rows[static_cast<std::size_t>(i)], column), values(i, column),
                    unit == 1 ? "" : " beside the others", sizeof(Scalar) == 4 ? "float32" : "float64",
                    sizeof(Scalar) == 4 ? " or precision: float64" : ""));
  }
}

template <class Scalar>
void require_targets_in_range(const TableRows& table, const std::vector<Index>& rows, const Matrix<Scalar>& values,
                              const TargetScaling& scaling) {
  constexpr double kMost = 1e150;
  if (sizeof(Scalar) < sizeof(double) && !scaling.scales()) return;
  const Matrix<double> targets = scaling.to_original(Matrix<double>(values.template cast<double>()));
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index j = 0; j < values.cols(); ++j) {
      if (std::abs(targets(i, j)) < kMost) continue;
      throw DataError(
          fmt::format("{}: the target {:.6g} is so large that squared errors are beyond float64; mend it, "
                      "or divide the column",
                      table.where(rows[static_cast<std::size_t>(i)], j), targets(i, j)));
    }
  }
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                                   \
  template double unit_of_inputs(const Matrix<Scalar>&);                                                             \
  template void require_inputs_in_range(const TableRows&, const std::vector<Index>&, const Matrix<Scalar>&, double); \
  template void require_targets_in_range(const TableRows&, const std::vector<Index>&, const Matrix<Scalar>&,         \
                                         const TargetScaling&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz
