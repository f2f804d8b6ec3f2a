#include "rfm/pairs/metric_coordinates.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/base/epsilon.h"
#include "core/base/error.h"
#include "core/machine/parallel.h"
#include "rfm/pairs/range.h"

namespace ansatz::rfm {
namespace {

constexpr Index kPointRows = 64;

template <class Scalar>
Vector<Scalar> squared_norms(const Matrix<Scalar>& p) {
  Vector<Scalar> result(p.rows());
  parallel_tiles(p.rows(), kPointRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) result[i] = static_cast<Scalar>(p.row(i).template cast<double>().squaredNorm());
  });
  return result;
}

template <class Scalar>
void require_finite(const Vector<Scalar>& squares) {
  const Scalar limit = std::numeric_limits<Scalar>::max() / 4;  // |x|^2 + |z|^2 must not overflow either
  for (Index i = 0; i < squares.size(); ++i)
    if (!(squares[i] < limit))
      throw NumericalError("kernel: the squared M-norm of row " + std::to_string(i) +
                           " of the inputs is not finite; look for missing or huge values, or normalize the data set");
}

/// Scales every row to unit length; rows of norm 0 become 0. `norms` holds squared norms before and norms after.
template <class Scalar>
void normalize_rows(PreparedPoints<Scalar>& p) {
  p.norms = p.norms.array().sqrt();
  p.rounded = true;
  parallel_tiles(p.size(), kPointRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) p.points.row(i) *= p.norms[i] > 0 ? 1 / p.norms[i] : Scalar(0);
  });
}

}  // namespace

template <class Scalar>
PreparedPoints<Scalar> PreparedPoints<Scalar>::rows(const std::vector<Index>& indices) const {
  PreparedPoints result{points(indices, Eigen::all), norms(indices), rounded, nullptr, unit};
  if (products) result.products = std::make_shared<const Matrix<Scalar>>((*products)(indices, Eigen::all));
  return result;
}

template <class Scalar>
MetricCoordinates<Scalar>::MetricCoordinates(const Kernel& kernel, FeatureMatrix<Scalar> metric,
                                             const MatrixView<Scalar>& x,
                                             std::shared_ptr<const SampleSpace<Scalar>> sample_space)
    : radial_(kernel.radial()),
      p_norm_(kernel.p_norm()),
      form_(Form::identity),
      metric_(std::move(metric)),
      latent_(metric_.dimension()),
      sample_space_(std::move(sample_space)) {
  using MetricForm = typename FeatureMatrix<Scalar>::Form;
  if (x.cols() != metric_.dimension())
    throw DataError("kernel: inputs have " + std::to_string(x.cols()) +
                    " columns, but the feature matrix is of dimension " + std::to_string(metric_.dimension()));
  if (p_norm_) sample_space_.reset();
  const bool over_centers = metric_.form() == MetricForm::sandwich && metric_.factor().data() == x.data() &&
                            metric_.factor().rows() == x.rows();
  if (over_centers && !sample_space_ && !p_norm_)
    sample_space_ = std::make_shared<const SampleSpace<Scalar>>(metric_.shared_factor(), radial_);
  if (radial_) origin_ = sample_space_ ? sample_space_->origin() : common_origin<Scalar>(x);
  if (p_norm_ && metric_.form() == MetricForm::diagonal) origin_.resize(0);  // differences need no origin
  if (metric_.form() == MetricForm::diagonal) {
    const Vector<Scalar>& m = metric_.diagonal_part();
    if (!(m.array() == Scalar(1)).all()) {
      form_ = Form::scaled;
      scale_ = m.array().max(Scalar(0)).sqrt();
    }
  } else if (p_norm_) {
    form_ = Form::factored;
    root_ = FeatureMatrix<Scalar>::dense(metric_.to_dense()).power(0.5).dense_part();
  } else if (metric_.form() == MetricForm::sandwich && metric_.factor().rows() < metric_.dimension()) {
    form_ = Form::sandwich;
    if (!metric_.core_is_identity()) root_ = semidefinite_root<Scalar>(metric_.core());
    latent_ = metric_.core_is_identity() ? metric_.factor().rows() : root_.rows();
  } else {
    form_ = Form::factored;
    root_ = semidefinite_root<Scalar>(metric_.to_dense());
    latent_ = root_.rows();
  }
  choose_unit(x);
}

template <class Scalar>
void MetricCoordinates<Scalar>::choose_unit(const MatrixView<Scalar>& x) {
  Matrix<Scalar> rows = few_rows<Scalar>(x);
  if (!sample_space_)
    rows = coordinates_of(rows).points;
  else if (origin_.size() > 0)
    rows.rowwise() -= origin_.transpose();
  const double typical = length_quantile<Scalar>(rows, 0.5);
  if (radial_ && !sample_space_) {
    unit_ = range_unit<Scalar>(typical);
    return;
  }
  const double least = std::sqrt(static_cast<double>(std::numeric_limits<Scalar>::min()) / epsilon<Scalar>());
  if (typical > 0 && typical < least)
    throw NumericalError(fmt::format(
        "kernel: most inputs are so short (about {:.2g}) that their products vanish in {}; normalize the data set{}",
        typical, sizeof(Scalar) == 4 ? "float32" : "float64", sizeof(Scalar) == 4 ? " or use precision: float64" : ""));
}

template <class Scalar>
PreparedPoints<Scalar> MetricCoordinates<Scalar>::coordinates_of(const MatrixView<Scalar>& x) const {
  if (x.cols() != dimension())
    throw DataError("kernel: points have " + std::to_string(x.cols()) + " columns, " + std::to_string(dimension()) +
                    " expected");
  PreparedPoints<Scalar> p;
  const auto multiply = [&p](const Matrix<Scalar>& factor) {
    Matrix<Scalar> latent(p.points.rows(), factor.rows());
    latent.noalias() = p.points * factor.transpose();
    p.points = std::move(latent);
    p.rounded = true;
  };
  if (form_ == Form::sandwich && sample_space_ && metric_.factor().data() == sample_space_->rows().data()) {
    p.points = sample_space_->products(x);
    p.rounded = true;
  } else {
    p.points = x;
    if (origin_.size() > 0) p.points.rowwise() -= origin_.transpose();
    if (form_ == Form::scaled) p.points.array().rowwise() *= scale_.transpose().array();
    if (form_ == Form::sandwich) multiply(metric_.factor());
  }
  if (form_ == Form::factored || (form_ == Form::sandwich && !metric_.core_is_identity())) multiply(root_);
  return p;
}

template <class Scalar>
PreparedPoints<Scalar> MetricCoordinates<Scalar>::prepare(const MatrixView<Scalar>& x) const {
  PreparedPoints<Scalar> p = coordinates_of(x);
  p.unit = unit_;
  if (unit_ != 1) p.points *= static_cast<Scalar>(1 / unit_);
  p.norms = squared_norms(p.points);
  require_finite(p.norms);
  if (form_ == Form::identity && radial_ && sample_space_)
    p.products = std::make_shared<const Matrix<Scalar>>(sample_space_->products(x));
  if (!radial_) normalize_rows(p);
  return p;
}

template <class Scalar>
Matrix<Scalar> MetricCoordinates<Scalar>::lift(const Matrix<Scalar>& g) const {
  if (form_ == Form::identity) return g;
  if (form_ == Form::scaled) return g.array().rowwise() * scale_.transpose().array();
  if (form_ == Form::factored) return g * root_;
  if (metric_.core_is_identity()) return g * metric_.factor();
  const Matrix<Scalar> rows = g * root_;
  return rows * metric_.factor();
}

template <class Scalar>
FeatureMatrix<Scalar> MetricCoordinates<Scalar>::lift_outer_product(const Matrix<Scalar>& s) const {
  Matrix<Scalar> result = s;
  if (form_ == Form::scaled) {
    result = scale_.asDiagonal() * result * scale_.asDiagonal();
  } else if (form_ == Form::factored || (form_ == Form::sandwich && !metric_.core_is_identity())) {
    const Matrix<Scalar> half = s * root_;
    result = root_.transpose() * half;  // zero where the rank is 0
  }
  result = (Scalar(0.5) * (result + result.transpose())).eval();
  if (form_ == Form::sandwich) return FeatureMatrix<Scalar>::sandwich(metric_.shared_factor(), std::move(result));
  return FeatureMatrix<Scalar>::dense(std::move(result));
}

template struct PreparedPoints<float>;
template struct PreparedPoints<double>;
template class MetricCoordinates<float>;
template class MetricCoordinates<double>;

}  // namespace ansatz::rfm
