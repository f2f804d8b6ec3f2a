#include "core/table_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace ansatz {
namespace {

using Row = Eigen::Array<double, 1, Eigen::Dynamic>;

/// Moments of the values and of their rounding errors, about the first row, so that few digits cancel.
class RoundingMoments {
 public:
  template <class Scalar>
  void add(const Matrix<double>& block, const Scalar* narrowed) {
    if (count_ == 0) {
      origin_ = block.row(0).array();
      value_ = value_square_ = error_ = error_square_ = Row::Zero(block.cols());
    }
    const Eigen::Map<const Matrix<Scalar>> rounded(narrowed, block.rows(), block.cols());
    for (Index i = 0; i < block.rows(); ++i) {
      const auto error = block.row(i).array() - rounded.row(i).array().template cast<double>();
      const auto value = block.row(i).array() - origin_;
      value_ += value;
      value_square_ += value.square();
      error_ += error;
      error_square_ += error.square();
    }
    count_ += static_cast<double>(block.rows());
  }

  /// `epsilon`: of the values; a column that varies by a few units of it is constant (core/normalization.h).
  RoundingShare share(double epsilon) const {
    constexpr double kUnits = 4;
    const auto variance = [&](const Row& sum, const Row& square, Index j) {
      return std::max(0.0, square[j] / count_ - (sum[j] / count_) * (sum[j] / count_));
    };
    RoundingShare result(static_cast<std::size_t>(value_.size()), 0.0);
    for (Index j = 0; j < value_.size(); ++j) {
      const double of_values = variance(value_, value_square_, j);
      if (of_values > std::pow(kUnits * epsilon * origin_[j], 2))
        result[static_cast<std::size_t>(j)] = std::sqrt(variance(error_, error_square_, j) / of_values);
    }
    return result;
  }

 private:
  Row origin_, value_, value_square_, error_, error_square_;
  double count_ = 0;
};

template <class Scalar>
void check_finite(const TableRows& table, const std::vector<Index>& rows, Index first, const Matrix<double>& block,
                  const Scalar* narrowed) {
  const Eigen::Map<const Matrix<Scalar>> values(narrowed, block.rows(), block.cols());
  if (values.allFinite()) return;
  for (Index i = 0; i < block.rows(); ++i) {
    for (Index j = 0; j < block.cols(); ++j) {
      if (std::isfinite(values(i, j))) continue;
      throw DataError(fmt::format("{}: {} is too large for {}",
                                  table.where(rows[static_cast<std::size_t>(first + i)], j), block(i, j),
                                  sizeof(Scalar) == 4 ? "float32; use precision: float64" : "float64"));
    }
  }
}

}  // namespace

Index rows_of_a_block(Index columns) {
  constexpr Index kValues = 1 << 19, kTogether = 8;  // whole cache lines, so that a row lies as in one matrix of all
  return std::max(kTogether, kValues / std::max<Index>(columns, 1) / kTogether * kTogether);
}

template <class Scalar>
Matrix<Scalar> read_table(const TableRows& table, const std::vector<Index>& rows, Index columns,
                          const std::function<void(Matrix<double>&)>& change, RoundingShare* share) {
  Matrix<Scalar> values(static_cast<Index>(rows.size()), columns);
  RoundingMoments moments;
  table.read(rows, [&](Index first, Matrix<double>& block) {
    if (change) change(block);
    Scalar* const out = values.data() + first * columns;
    values.middleRows(first, block.rows()) = block.template cast<Scalar>();
    check_finite(table, rows, first, block, out);
    if (share != nullptr) moments.add(block, out);
  });
  if (share != nullptr) *share = moments.share(std::max(table.epsilon, std::numeric_limits<double>::epsilon()));
  return values;
}

template Matrix<float> read_table(const TableRows&, const std::vector<Index>&, Index,
                                  const std::function<void(Matrix<double>&)>&, RoundingShare*);
template Matrix<double> read_table(const TableRows&, const std::vector<Index>&, Index,
                                   const std::function<void(Matrix<double>&)>&, RoundingShare*);

}  // namespace ansatz
