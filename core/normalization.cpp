#include "core/normalization.h"

#include <fmt/format.h>

#include <cmath>

#include "core/error.h"
#include "core/parallel.h"

namespace ansatz {
namespace {

using Row = Eigen::Array<double, 1, Eigen::Dynamic>;

template <class Scalar, class Body>
void for_each_part(Split<Scalar>& split, Body body) {
  for (Dataset<Scalar>* part : {&split.train, &split.validation, &split.test}) {
    if (!part->empty()) body(part->inputs);
  }
}

template <class Scalar>
void scale_rows_to_unit_norm(Matrix<Scalar>& x) {
  parallel_tiles(x.rows(), 64, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const double norm = std::sqrt(x.row(i).template cast<double>().squaredNorm());
      if (norm > 0) x.row(i) = (x.row(i).template cast<double>() / norm).template cast<Scalar>();
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

/// Mean, deviation, lowest and highest value of each column.
struct ColumnStatistics {
  Row mean, deviation, low, high;
};

/// Row by row, as the matrix lies in memory; the deviation in a second pass, around the mean, so that no digits cancel.
template <class Scalar>
ColumnStatistics column_statistics(const Matrix<Scalar>& x) {
  ColumnStatistics s;
  s.mean = Row::Zero(x.cols());
  s.deviation = Row::Zero(x.cols());
  s.low = s.high = x.row(0).template cast<double>().array();
  for (Index i = 0; i < x.rows(); ++i) {
    const auto row = x.row(i).template cast<double>().array();
    s.mean += row;
    s.low = s.low.min(row);
    s.high = s.high.max(row);
  }
  s.mean /= static_cast<double>(x.rows());
  for (Index i = 0; i < x.rows(); ++i) s.deviation += (x.row(i).template cast<double>().array() - s.mean).square();
  s.deviation = (s.deviation / static_cast<double>(x.rows())).sqrt();
  return s;
}

template <class Scalar>
std::string standardize_or_stretch(Split<Scalar>& split, bool standardize) {
  const ColumnStatistics s = column_statistics(split.train.inputs);
  const auto varies = (s.high > s.low).eval();  // the computed deviation of a constant column is only rounding
  const Index constant = varies.size() - varies.count();
  const Row shift = varies.select(standardize ? s.mean : s.low, s.low);
  const Row scale = varies.select(standardize ? s.deviation : Row(s.high - s.low), Row::Ones(s.low.size()));
  for_each_part(split, [&](Matrix<Scalar>& inputs) { shift_and_scale(inputs, shift, scale); });
  std::string note = standardize ? "inputs standardised by the mean and standard deviation of the training rows"
                                 : "inputs scaled to [0, 1] by the lowest and highest values of the training rows";
  if (constant > 0) note += fmt::format("; {} constant column{} only shifted", constant, constant == 1 ? "" : "s");
  return note;
}

}  // namespace

template <class Scalar>
void normalize(Split<Scalar>& split, Normalization kind) {
  if (kind == Normalization::none) return;
  if (kind == Normalization::unit_norm) {
    for_each_part(split, [](Matrix<Scalar>& x) { scale_rows_to_unit_norm(x); });
    split.notes.emplace_back("inputs scaled to unit Euclidean norm, row by row");
  } else {
    split.notes.push_back(standardize_or_stretch(split, kind == Normalization::standardize));
  }
  if (!split.truth) return;
  split.truth.reset();
  split.notes.emplace_back("the expected AGOP is left out: it is known for inputs that are not scaled");
}

template <class Scalar>
void fill_missing_with_mean(Split<Scalar>& split, const std::vector<std::string>& names) {
  const Matrix<Scalar>& train = split.train.inputs;
  Row sum = Row::Zero(train.cols()), known = Row::Zero(train.cols());
  for (Index i = 0; i < train.rows(); ++i) {
    const auto row = train.row(i).template cast<double>().array();
    sum += row.isNaN().select(0.0, row);
    known += (!row.isNaN()).template cast<double>();
  }
  bool filled = false;
  for_each_part(split, [&](Matrix<Scalar>& x) {
    for (Index i = 0; i < x.rows(); ++i) {
      for (Index j = 0; j < x.cols(); ++j) {
        if (!std::isnan(x(i, j))) continue;
        if (known[j] == 0) {
          const auto k = static_cast<std::size_t>(j);
          throw DataError(
              fmt::format("column {}: no training row has a value, so there is no mean to replace missing ones by; "
                          "ignore the column",
                          k < names.size() ? "\"" + names[k] + "\"" : std::to_string(j)));
        }
        x(i, j) = static_cast<Scalar>(sum[j] / known[j]);
        filled = true;
      }
    }
  });
  if (filled) split.notes.emplace_back("missing inputs replaced by the mean of their column over the training rows");
}

template void normalize(Split<float>&, Normalization);
template void normalize(Split<double>&, Normalization);
template void fill_missing_with_mean(Split<float>&, const std::vector<std::string>&);
template void fill_missing_with_mean(Split<double>&, const std::vector<std::string>&);

}  // namespace ansatz
