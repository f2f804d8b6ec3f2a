#include "core/features/feature_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/base/epsilon.h"
#include "core/base/error.h"
#include "core/machine/parallel.h"

namespace ansatz {
namespace {

constexpr Index kTileRows = 256;  // rows of F per product: a tile and C times it stay small beside F itself

// Throws unless m is symmetric up to what a float32 product or a file of rounded numbers may leave. Anything more
// asymmetric is not the matrix that the user meant.
template <class Scalar>
double symmetry_tolerance() {
  return std::sqrt(epsilon<Scalar>());
}

template <class Scalar>
void require_symmetric(Matrix<Scalar>& m, const char* what) {
  if (m.rows() != m.cols())
    throw NumericalError(fmt::format("feature matrix: {} is {} x {}; it must be square", what, m.rows(), m.cols()));
  if (!m.allFinite())
    throw NumericalError(
        fmt::format("feature matrix: {} has entries that are not finite; lower the learning rate or "
                    "raise the ridge of what produced it",
                    what));
  const double asymmetry = make_symmetric(m);
  if (asymmetry > symmetry_tolerance<Scalar>())
    throw NumericalError(
        fmt::format("feature matrix: {} is not symmetric (it differs from its transpose by {:.2g} of its "
                    "largest entry); give a symmetric matrix such as W^T W",
                    what, asymmetry));
}

template <class Part>
const Part& part_of(const std::shared_ptr<const Part>& part, bool has_it, const char* name) {
  if (!has_it || !part) throw std::logic_error(std::string("FeatureMatrix: this form has no ") + name);
  return *part;
}

}  // namespace

template <class Scalar>
FeatureMatrix<Scalar> FeatureMatrix<Scalar>::identity(Index d) {
  return diagonal_form(Vector<Scalar>::Ones(d));
}

template <class Scalar>
FeatureMatrix<Scalar> FeatureMatrix<Scalar>::dense(Matrix<Scalar> m) {
  require_symmetric(m, "the matrix");
  FeatureMatrix result;
  result.form_ = Form::dense;
  result.d_ = m.rows();
  result.matrix_ = std::make_shared<const Matrix<Scalar>>(std::move(m));
  return result;
}

template <class Scalar>
FeatureMatrix<Scalar> FeatureMatrix<Scalar>::diagonal_form(Vector<Scalar> m) {
  if (!m.allFinite())
    throw NumericalError(
        "feature matrix: the diagonal has entries that are not finite; lower the learning rate or raise "
        "the ridge of what produced it");
  if (m.size() > 0 && m.minCoeff() < -symmetry_tolerance<Scalar>() * m.cwiseAbs().maxCoeff())
    throw NumericalError(
        fmt::format("feature matrix: the diagonal has the negative entry {:.4g}; it must be positive "
                    "semi-definite",
                    static_cast<double>(m.minCoeff())));
  FeatureMatrix result;
  result.form_ = Form::diagonal;
  result.d_ = m.size();
  result.vector_ = std::make_shared<const Vector<Scalar>>(m.cwiseMax(Scalar(0)));
  return result;
}

template <class Scalar>
FeatureMatrix<Scalar> FeatureMatrix<Scalar>::sandwich(Matrix<Scalar> f) {
  return sandwich(std::make_shared<const Matrix<Scalar>>(std::move(f)));
}

template <class Scalar>
FeatureMatrix<Scalar> FeatureMatrix<Scalar>::sandwich(std::shared_ptr<const Matrix<Scalar>> f) {
  if (!f->allFinite())
    throw NumericalError(
        "feature matrix: the factor has entries that are not finite; lower the learning rate or use a "
        "smaller initialisation");
  FeatureMatrix result;
  result.form_ = Form::sandwich;
  result.d_ = f->cols();
  result.matrix_ = std::move(f);
  return result;
}

template <class Scalar>
FeatureMatrix<Scalar> FeatureMatrix<Scalar>::sandwich(std::shared_ptr<const Matrix<Scalar>> f, Matrix<Scalar> c) {
  if (c.rows() != f->rows())
    throw DataError(
        fmt::format("feature matrix: F^T C F needs C of the size of F's rows, but F is {} x {} and C is {} x {}",
                    f->rows(), f->cols(), c.rows(), c.cols()));
  FeatureMatrix result = sandwich(std::move(f));
  require_symmetric(c, "the core C of F^T C F");
  result.core_ = std::make_shared<const Matrix<Scalar>>(std::move(c));
  return result;
}

template <class Scalar>
const Matrix<Scalar>& FeatureMatrix<Scalar>::dense_part() const {
  return part_of(matrix_, form_ == Form::dense, "dense part");
}

template <class Scalar>
const Vector<Scalar>& FeatureMatrix<Scalar>::diagonal_part() const {
  return part_of(vector_, form_ == Form::diagonal, "diagonal part");
}

template <class Scalar>
const Matrix<Scalar>& FeatureMatrix<Scalar>::factor() const {
  return part_of(matrix_, form_ == Form::sandwich, "factor F");
}

template <class Scalar>
std::shared_ptr<const Matrix<Scalar>> FeatureMatrix<Scalar>::shared_factor() const {
  factor();  // throws for the other forms
  return matrix_;
}

template <class Scalar>
bool FeatureMatrix<Scalar>::core_is_identity() const {
  return form_ == Form::sandwich && !core_;
}

template <class Scalar>
const Matrix<Scalar>& FeatureMatrix<Scalar>::core() const {
  return part_of(core_, form_ == Form::sandwich, "stored core C");
}

template <class Scalar>
Matrix<Scalar> FeatureMatrix<Scalar>::apply(const MatrixView<Scalar>& v) const {
  if (v.cols() != d_)
    throw DataError(fmt::format("feature matrix: cannot apply {} to rows of length {}", describe(), v.cols()));
  if (d_ == 0) return Matrix<Scalar>(v.rows(), 0);
  if (form_ == Form::diagonal) return v * vector_->asDiagonal();
  if (form_ == Form::dense) return v * *matrix_;
  Matrix<Scalar> projected = v * matrix_->transpose();
  if (core_) projected = (projected * *core_).eval();
  return projected * *matrix_;
}

template <class Scalar>
Vector<double> FeatureMatrix<Scalar>::diagonal_in_double() const {
  if (d_ == 0) return {};
  if (form_ == Form::diagonal) return vector_->template cast<double>();
  if (form_ == Form::dense) return matrix_->diagonal().template cast<double>();
  Vector<double> diagonal = Vector<double>::Zero(d_);
  for (Index row = 0; row < matrix_->rows(); row += kTileRows) {
    const auto f = matrix_->middleRows(row, std::min(kTileRows, matrix_->rows() - row));
    Matrix<Scalar> product;
    if (core_) product.noalias() = core_->middleRows(row, f.rows()) * *matrix_;
    parallel_tiles(d_, 1024, [&](Index begin, Index end) {
      for (Index i = 0; i < f.rows(); ++i) {
        const auto left = f.row(i).segment(begin, end - begin).transpose().template cast<double>();
        auto sums = diagonal.segment(begin, end - begin);
        if (core_)
          sums += left.cwiseProduct(product.row(i).segment(begin, end - begin).transpose().template cast<double>());
        else
          sums += left.cwiseAbs2();
      }
    });
  }
  return diagonal;
}

template <class Scalar>
Vector<Scalar> FeatureMatrix<Scalar>::diagonal() const {
  return diagonal_in_double().template cast<Scalar>();
}

template <class Scalar>
double FeatureMatrix<Scalar>::trace() const {
  return diagonal_in_double().sum();
}

template <class Scalar>
double FeatureMatrix<Scalar>::sum() const {
  if (d_ == 0) return 0;
  if (form_ == Form::diagonal) return vector_->template cast<double>().sum();
  if (form_ == Form::dense) return entry_sum<Scalar>(*matrix_);
  Vector<double> row_sums(matrix_->rows());
  parallel_tiles(matrix_->rows(), 64, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) row_sums[i] = matrix_->row(i).template cast<double>().sum();
  });
  if (!core_) return row_sums.squaredNorm();
  Vector<double> weighted(core_->rows());  // C times the row sums
  parallel_tiles(core_->rows(), 64, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) weighted[i] = core_->row(i).template cast<double>().dot(row_sums);
  });
  return row_sums.dot(weighted);
}

template <class Scalar>
double FeatureMatrix<Scalar>::largest_diagonal() const {
  return d_ == 0 ? 0 : diagonal_in_double().maxCoeff();
}

template <class Scalar>
Matrix<Scalar> FeatureMatrix<Scalar>::to_dense(Index limit) const {
  if (d_ > limit)
    throw MemoryError(
        fmt::format("feature matrix: {} x {} as one array would take {:.1f} GB (limit {} x {}); use its "
                    "diagonal, its top eigenvectors or the factors F and C instead",
                    d_, d_, 1e-9 * double(d_) * double(d_) * sizeof(Scalar), limit, limit));
  if (form_ == Form::dense) return *matrix_;
  return top_left_block(d_);
}

template <class Scalar>
Matrix<Scalar> FeatureMatrix<Scalar>::top_left_block(Index k) const {
  k = std::min(k, d_);
  if (k <= 0) return Matrix<Scalar>(0, 0);
  if (form_ == Form::diagonal) return vector_->head(k).asDiagonal();
  if (form_ == Form::dense) return matrix_->topLeftCorner(k, k);
  const auto f = matrix_->leftCols(k);
  if (!core_) return column_gram<Scalar>(f);
  const Matrix<Scalar> product = *core_ * f;
  return symmetric_product<Scalar>(f, product);
}

template <class Scalar>
FeatureMatrix<Scalar> FeatureMatrix<Scalar>::scaled(double factor) const {
  if (!std::isfinite(factor) || factor < 0)
    throw NumericalError(fmt::format("feature matrix: cannot scale {} by {}; is it all zero?", describe(), factor));
  FeatureMatrix result = *this;
  const auto times = [&](const auto& part, double f) {
    return std::make_shared<const std::decay_t<decltype(*part)>>(*part * static_cast<Scalar>(f));
  };
  if (form_ == Form::diagonal) {
    if (vector_) result.vector_ = times(vector_, factor);
  } else if (core_) {
    result.core_ = times(core_, factor);
  } else {
    result.matrix_ = times(matrix_, form_ == Form::dense ? factor : std::sqrt(factor));
  }
  return result;
}

template <class Scalar>
std::string FeatureMatrix<Scalar>::describe() const {
  if (form_ == Form::sandwich)
    return fmt::format("sandwich {} of {} x {}{}", matrix_->rows(), d_, d_, core_ ? "" : " (C = I)");
  return fmt::format("{} {} x {}", form_ == Form::dense ? "dense" : "diagonal", d_, d_);
}

template class FeatureMatrix<float>;
template class FeatureMatrix<double>;

}  // namespace ansatz
