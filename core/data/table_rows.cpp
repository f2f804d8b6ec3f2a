#include "core/data/table_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/data/rounding_loss.h"

namespace ansatz {
namespace {

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
  constexpr Index kValues = 1 << 19, kTogether = 8;  // whole cache lines, so that rows are aligned as in one matrix
  return std::max(kTogether, kValues / std::max<Index>(columns, 1) / kTogether * kTogether);
}

template <class Scalar>
Matrix<Scalar> read_table(const TableRows& table, const std::vector<Index>& rows, Index columns,
                          const std::function<void(Matrix<double>&)>& change, RoundingShare* share) {
  Matrix<Scalar> values(static_cast<Index>(rows.size()), columns);
  RoundingLoss loss(static_cast<Index>(rows.size()), columns);
  table.read(rows, [&](Index first, Matrix<double>& block) {
    if (change) change(block);
    Scalar* const out = values.data() + first * columns;
    values.middleRows(first, block.rows()) = block.template cast<Scalar>();
    check_finite(table, rows, first, block, out);
    if (share != nullptr) loss.add(first, block, values.middleRows(first, block.rows()).template cast<double>());
  });
  if (share != nullptr) *share = loss.share(std::max(table.epsilon, std::numeric_limits<double>::epsilon()));
  return values;
}

template Matrix<float> read_table(const TableRows&, const std::vector<Index>&, Index,
                                  const std::function<void(Matrix<double>&)>&, RoundingShare*);
template Matrix<double> read_table(const TableRows&, const std::vector<Index>&, Index,
                                   const std::function<void(Matrix<double>&)>&, RoundingShare*);

}  // namespace ansatz
