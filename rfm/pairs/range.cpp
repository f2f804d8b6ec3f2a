#include "rfm/pairs/range.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace ansatz::rfm {
namespace {

constexpr Index kSample = 65;
constexpr double kFarAway = 100;  // in typical distances: how far the mean may lie from most rows

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const double place = share * static_cast<double>(values.size());
  const auto found = values.begin() + std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(place),
                                                               static_cast<std::ptrdiff_t>(values.size()) - 1);
  std::nth_element(values.begin(), found, values.end());
  return *found;
}

/// |v|, computed so that no square overflows or vanishes.
double length(const Vector<double>& v) {
  const double largest = v.size() == 0 ? 0 : v.cwiseAbs().maxCoeff();
  return largest > 0 && std::isfinite(largest) ? largest * (v / largest).norm() : largest;
}

template <class Scalar>
Vector<Scalar> column_means(const MatrixView<Scalar>& x) {
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(x.cols());
  for (Index i = 0; i < x.rows(); ++i) sum += x.row(i).template cast<double>();
  return (sum / static_cast<double>(std::max<Index>(1, x.rows()))).transpose().template cast<Scalar>();
}

/// Sets those columns of `origin` to 0 whose subtraction would round away differences among much smaller values of x.
template <class Scalar>
void spare_small_values(const MatrixView<Scalar>& x, Vector<Scalar>& origin) {
  constexpr Scalar kSmall = Scalar(0.25);  // a value below this share of the origin loses digits by the subtraction
  constexpr Scalar kRounded = 1000;        // a spread below this many rounding units of the origin suffers by it
  using Row = Eigen::Array<Scalar, 1, Eigen::Dynamic>;
  const Scalar most = std::numeric_limits<Scalar>::max();
  Row least = Row::Constant(x.cols(), most), largest = Row::Constant(x.cols(), -most);
  const Row limit = kSmall * origin.transpose().array().abs();
  for (Index i = 0; i < x.rows(); ++i) {
    const auto row = x.row(i).array();
    least = (row.abs() < limit).select(least.min(row), least);
    largest = (row.abs() < limit).select(largest.max(row), largest);
  }
  for (Index j = 0; j < x.cols(); ++j) {
    const Scalar rounding = kRounded * std::numeric_limits<Scalar>::epsilon() * std::abs(origin[j]);
    if (largest[j] > least[j] && largest[j] - least[j] < rounding) origin[j] = 0;
  }
}

}  // namespace

template <class Scalar>
double range_unit(double size) {
  constexpr double limit = sizeof(Scalar) == 4 ? 1e10 : 1e100, exponent = sizeof(Scalar) == 4 ? 120 : 1000;
  if (!(size > 0) || !std::isfinite(size) || (size >= 1 / limit && size <= limit)) return 1;
  return std::exp2(std::clamp(std::round(std::log2(size)), -exponent, exponent));
}

template <class Scalar>
Matrix<Scalar> few_rows(const MatrixView<Scalar>& x) {
  const Index count = std::min(x.rows(), kSample);
  Matrix<Scalar> rows(count, x.cols());
  for (Index i = 0; i < count; ++i) rows.row(i) = x.row(i * x.rows() / count);
  return rows;
}

template <class Scalar>
double length_quantile(const MatrixView<Scalar>& x, double share) {
  std::vector<double> lengths;
  for (Index i = 0; i < x.rows(); ++i) lengths.push_back(length(x.row(i).transpose().template cast<double>()));
  return quantile(std::move(lengths), share);
}

template <class Scalar>
Vector<Scalar> common_origin(const MatrixView<Scalar>& x) {
  const Vector<Scalar> mean = column_means<Scalar>(x);
  const Matrix<Scalar> rows = few_rows<Scalar>(x);
  Vector<Scalar> middle(x.cols());
  for (Index j = 0; j < x.cols(); ++j) {
    std::vector<double> column;
    for (Index i = 0; i < rows.rows(); ++i) column.push_back(static_cast<double>(rows(i, j)));
    middle[j] = static_cast<Scalar>(quantile(std::move(column), 0.5));
  }
  const double typical = length_quantile<Scalar>(rows.rowwise() - middle.transpose(), 0.5);
  const double away = length((mean - middle).template cast<double>());
  Vector<Scalar> origin = away > kFarAway * typical && typical > 0 ? middle : mean;
  spare_small_values<Scalar>(x, origin);
  return origin;
}

#define ANSATZ_INSTANTIATE(Scalar)                                          \
  template double range_unit<Scalar>(double);                               \
  template Vector<Scalar> common_origin<Scalar>(const MatrixView<Scalar>&); \
  template Matrix<Scalar> few_rows<Scalar>(const MatrixView<Scalar>&);      \
  template double length_quantile<Scalar>(const MatrixView<Scalar>&, double);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz::rfm
