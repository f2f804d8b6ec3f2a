#include "rfm/range.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ansatz::rfm {
namespace {

constexpr Index kSample = 65;
constexpr double kFarAway = 100;  // typical distances between the mean and most rows

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// |v| without squares of numbers far from 1.
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
double median_length(const MatrixView<Scalar>& x) {
  std::vector<double> lengths;
  for (Index i = 0; i < x.rows(); ++i) lengths.push_back(length(x.row(i).transpose().template cast<double>()));
  return median(std::move(lengths));
}

template <class Scalar>
Vector<Scalar> common_origin(const MatrixView<Scalar>& x) {
  const Vector<Scalar> mean = column_means<Scalar>(x);
  const Matrix<Scalar> rows = few_rows<Scalar>(x);
  Vector<Scalar> middle(x.cols());
  for (Index j = 0; j < x.cols(); ++j) {
    std::vector<double> column;
    for (Index i = 0; i < rows.rows(); ++i) column.push_back(static_cast<double>(rows(i, j)));
    middle[j] = static_cast<Scalar>(median(std::move(column)));
  }
  const double typical = median_length<Scalar>(rows.rowwise() - middle.transpose());
  const double away = length((mean - middle).template cast<double>());
  return away > kFarAway * typical && typical > 0 ? middle : mean;
}

#define ANSATZ_INSTANTIATE(Scalar)                                          \
  template double range_unit<Scalar>(double);                               \
  template Vector<Scalar> common_origin<Scalar>(const MatrixView<Scalar>&); \
  template Matrix<Scalar> few_rows<Scalar>(const MatrixView<Scalar>&);      \
  template double median_length<Scalar>(const MatrixView<Scalar>&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz::rfm
