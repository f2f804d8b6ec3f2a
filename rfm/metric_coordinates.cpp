#include "rfm/metric_coordinates.h"

#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/parallel.h"

namespace ansatz::rfm {
namespace {

constexpr Index kRowTile = 64;

/// Column means, accumulated in double.
template <class Scalar>
Vector<Scalar> column_means(const MatrixView<Scalar>& x) {
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(x.cols());
  for (Index i = 0; i < x.rows(); ++i) sum += x.row(i).template cast<double>();
  return (sum / static_cast<double>(std::max<Index>(1, x.rows()))).transpose().template cast<Scalar>();
}

template <class Scalar>
Vector<Scalar> squared_norms(const PreparedPoints<Scalar>& p) {
  Vector<Scalar> result(p.size());
  const Matrix<Scalar>& right = p.right();
  parallel_tiles(p.size(), kRowTile, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const double square = p.points.row(i).template cast<double>().dot(right.row(i).template cast<double>());
      result[i] = static_cast<Scalar>(square < 0 ? 0 : square);  // M is semi-definite to rounding only
    }
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

/// Unit M-norm for every row; rows of norm 0 become 0. `norms` comes in squared.
template <class Scalar>
void normalize_rows(PreparedPoints<Scalar>& p) {
  p.norms = p.norms.array().sqrt();
  parallel_tiles(p.size(), kRowTile, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Scalar inverse = p.norms[i] > 0 ? 1 / p.norms[i] : Scalar(0);
      p.points.row(i) *= inverse;
      if (p.mapped.size() > 0) p.mapped.row(i) *= inverse;
    }
  });
}

}  // namespace

template <class Scalar>
PreparedPoints<Scalar> PreparedPoints<Scalar>::rows(const std::vector<Index>& indices) const {
  PreparedPoints result;
  const Index m = static_cast<Index>(indices.size());
  result.points.resize(m, points.cols());
  result.mapped.resize(mapped.size() > 0 ? m : 0, mapped.cols());
  result.norms.resize(m);
  for (Index i = 0; i < m; ++i) {
    const Index source = indices[static_cast<std::size_t>(i)];
    result.points.row(i) = points.row(source);
    if (mapped.size() > 0) result.mapped.row(i) = mapped.row(source);
    result.norms[i] = norms[source];
  }
  return result;
}

template <class Scalar>
MetricCoordinates<Scalar>::MetricCoordinates(const Kernel& kernel, FeatureMatrix<Scalar> metric,
                                             const MatrixView<Scalar>& x)
    : radial_(kernel.radial()), metric_(std::move(metric)), latent_(metric_.dimension()) {
  using Form = typename FeatureMatrix<Scalar>::Form;
  if (x.cols() != metric_.dimension())
    throw DataError("kernel: inputs have " + std::to_string(x.cols()) +
                    " columns, but the feature matrix is of dimension " + std::to_string(metric_.dimension()));
  if (radial_) origin_ = column_means<Scalar>(x);
  if (metric_.form() == Form::diagonal) {
    const Vector<Scalar>& m = metric_.diagonal_part();
    if ((m.array() != Scalar(1)).any()) scale_ = m.array().max(Scalar(0)).sqrt();
  } else if (metric_.form() == Form::sandwich && metric_.factor().rows() < metric_.dimension()) {
    latent_ = metric_.factor().rows();
  }
}

template <class Scalar>
PreparedPoints<Scalar> MetricCoordinates<Scalar>::prepare(const MatrixView<Scalar>& x) const {
  using Form = typename FeatureMatrix<Scalar>::Form;
  if (x.cols() != dimension())
    throw DataError("kernel: points have " + std::to_string(x.cols()) + " columns, " + std::to_string(dimension()) +
                    " expected");
  PreparedPoints<Scalar> p;
  p.points = x;
  if (origin_.size() > 0) p.points.rowwise() -= origin_.transpose();
  if (scale_.size() > 0) p.points.array().rowwise() *= scale_.transpose().array();
  if (projected()) {
    Matrix<Scalar> latent(x.rows(), latent_);
    latent.noalias() = p.points * metric_.factor().transpose();
    p.points = std::move(latent);
    if (!metric_.core_is_identity()) p.mapped.noalias() = p.points * metric_.core();
  } else if (metric_.form() != Form::diagonal) {
    p.mapped = metric_.apply(p.points);
  }
  p.norms = squared_norms(p);
  require_finite(p.norms);
  if (!radial_) normalize_rows(p);
  return p;
}

template <class Scalar>
Matrix<Scalar> MetricCoordinates<Scalar>::lift(const Matrix<Scalar>& g) const {
  using Form = typename FeatureMatrix<Scalar>::Form;
  if (projected()) {
    Matrix<Scalar> result(g.rows(), dimension());
    if (metric_.core_is_identity()) {
      result.noalias() = g * metric_.factor();
    } else {
      const Matrix<Scalar> mapped = g * metric_.core();
      result.noalias() = mapped * metric_.factor();
    }
    return result;
  }
  if (metric_.form() != Form::diagonal) return metric_.apply(g);
  if (scale_.size() == 0) return g;
  return g.array().rowwise() * scale_.transpose().array();
}

template <class Scalar>
FeatureMatrix<Scalar> MetricCoordinates<Scalar>::lift_outer_product(const Matrix<Scalar>& s) const {
  Matrix<Scalar> result;
  if (!projected()) {
    const Matrix<Scalar> half = lift(s).transpose();  // (s C F)^T = F^T C s
    result = lift(half);
  } else if (metric_.core_is_identity()) {
    result = s;
  } else {
    const Matrix<Scalar> half = metric_.core() * s;
    result.noalias() = half * metric_.core();
  }
  result = (Scalar(0.5) * (result + result.transpose())).eval();
  if (projected()) return FeatureMatrix<Scalar>::sandwich(metric_.shared_factor(), std::move(result));
  return FeatureMatrix<Scalar>::dense(std::move(result));
}

template struct PreparedPoints<float>;
template struct PreparedPoints<double>;
template class MetricCoordinates<float>;
template class MetricCoordinates<double>;

}  // namespace ansatz::rfm
