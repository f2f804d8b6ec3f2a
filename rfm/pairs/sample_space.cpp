#include "rfm/pairs/sample_space.h"

#include "core/linalg/linalg.h"
#include "rfm/pairs/range.h"

namespace ansatz::rfm {
namespace {

constexpr Index kColumns = 4096;  // columns of inputs that are centred at once

template <class Scalar>
Matrix<Scalar> centered_columns(const MatrixView<Scalar>& x, const Vector<Scalar>& origin, Index begin, Index count) {
  Matrix<Scalar> block = x.middleCols(begin, count);
  if (origin.size() > 0) block.rowwise() -= origin.segment(begin, count).transpose();
  return block;
}

/// The row of `whole` with which `part` begins, or -1 if `part` is no block of rows in the memory of `whole`.
template <class Scalar>
Index row_within(const MatrixView<Scalar>& part, const Matrix<Scalar>& whole) {
  if (whole.size() == 0 || part.cols() != whole.cols() || part.outerStride() != whole.outerStride()) return -1;
  const auto first = part.data() - whole.data();
  if (first < 0 || first % whole.cols() != 0) return -1;
  const Index row = first / whole.cols();
  return row + part.rows() <= whole.rows() ? row : -1;
}

}  // namespace

template <class Scalar>
SampleSpace<Scalar>::SampleSpace(std::shared_ptr<const Matrix<Scalar>> rows, bool centered,
                                 const std::vector<const Matrix<Scalar>*>& announced)
    : rows_(std::move(rows)) {
  if (centered) origin_ = common_origin<Scalar>(*rows_);
  announced_.push_back({rows_.get(), {}});
  for (const Matrix<Scalar>* inputs : announced) announced_.push_back({inputs, {}});
}

template <class Scalar>
Matrix<Scalar> SampleSpace<Scalar>::compute_gram() const {
  const Index n = rows_->rows(), d = rows_->cols();
  Matrix<Scalar> gram = Matrix<Scalar>::Zero(n, n);
  for (Index begin = 0; begin < d; begin += kColumns)
    gram.template selfadjointView<Eigen::Upper>().rankUpdate(
        centered_columns<Scalar>(*rows_, origin_, begin, std::min(kColumns, d - begin)));
  mirror_upper(gram);
  return gram;
}

template <class Scalar>
Matrix<Scalar> SampleSpace<Scalar>::compute(const MatrixView<Scalar>& x) const {
  if (x.data() == rows_->data() && x.rows() == rows_->rows()) return compute_gram();
  const Index d = rows_->cols();
  Matrix<Scalar> result = Matrix<Scalar>::Zero(x.rows(), rows_->rows());
  for (Index begin = 0; begin < d; begin += kColumns) {
    const Index count = std::min(kColumns, d - begin);
    result.noalias() += centered_columns<Scalar>(x, origin_, begin, count) *
                        centered_columns<Scalar>(*rows_, origin_, begin, count).transpose();
  }
  return result;
}

template <class Scalar>
Matrix<Scalar> SampleSpace<Scalar>::products(const MatrixView<Scalar>& x) const {
  for (const Announced& set : announced_) {
    const Index row = row_within<Scalar>(x, *set.inputs);
    if (row < 0) continue;
    if (set.products.size() == 0) set.products = compute(*set.inputs);
    return set.products.middleRows(row, x.rows());
  }
  return compute(x);
}

template class SampleSpace<float>;
template class SampleSpace<double>;

}  // namespace ansatz::rfm
