#include "core/data/transform/input_transform.h"

#include <cmath>

#include "core/machine/parallel.h"

namespace ansatz {
namespace {

using Row = InputTransform::Row;

template <class Scalar>
void scale_rows_to_unit_norm(Matrix<Scalar>& x) {
  constexpr double kLeast = 1e-140, kMost = 1e140;  // beyond them squares lose digits
  if (x.cols() == 0) return;
  parallel_tiles(x.rows(), 64, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      double norm = std::sqrt(x.row(i).template cast<double>().squaredNorm());
      if (!(norm > kLeast && norm < kMost)) {
        const double largest = x.row(i).template cast<double>().cwiseAbs().maxCoeff();
        if (largest == 0) continue;
        x.row(i) = (x.row(i).template cast<double>() / largest).template cast<Scalar>();
        norm = std::sqrt(x.row(i).template cast<double>().squaredNorm());
      }
      x.row(i) = (x.row(i).template cast<double>() / norm).template cast<Scalar>();
    }
  });
}

/// x <- (x - shift) / scale for each column.
template <class Scalar>
void shift_and_scale(Matrix<Scalar>& x, const Row& shift, const Row& scale) {
  parallel_tiles(x.rows(), 64, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      x.row(i) = ((x.row(i).template cast<double>().array() - shift) / scale).template cast<Scalar>();
    }
  });
}

template <class Scalar>
void fill_missing(Matrix<Scalar>& x, const Row& fill) {
  const auto values = fill.template cast<Scalar>().eval();
  for (Index i = 0; i < x.rows(); ++i) {
    auto row = x.row(i).array();
    row = row.isNaN().select(values, row).eval();
  }
}

}  // namespace

template <class Scalar>
void InputTransform::apply(Matrix<Scalar>& x) const {
  if (x.size() == 0) return;
  if (fill.size() > 0) fill_missing(x, fill);
  if (normalization == Normalization::unit_norm) scale_rows_to_unit_norm(x);
  if (shift.size() > 0) shift_and_scale(x, shift, scale);
}

template void InputTransform::apply(Matrix<float>&) const;
template void InputTransform::apply(Matrix<double>&) const;

}  // namespace ansatz
