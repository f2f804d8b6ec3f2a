#include "core/data/formats/npy_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "core/base/error.h"

namespace ansatz {
namespace {

using Rows = std::vector<Index>;

std::string place(const NpyRows& file, Index row, Index column) {
  return fmt::format("{}: row {}, column {} (counted from 0)", file.path().string(), row, column);
}

}  // namespace

template <class T>
void read_blocks(const NpyRows& file, const Rows& rows, const std::function<void(Index first, Matrix<T>&)>& take) {
  const auto count = static_cast<Index>(rows.size());
  const Index step = rows_of_a_block(file.header().cols());
  Matrix<T> block;
  for (Index first = 0; first < count; first += step) {
    file.read(rows.data() + first, std::min(step, count - first), block);
    take(first, block);
  }
}

Rows all_rows(const NpyRows& file) {
  Rows rows(static_cast<std::size_t>(file.header().rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

void check_numbers(const NpyRows& file, const Rows& rows, Index first, const Matrix<double>& block) {
  const double most = file.header().is_integer() ? 0x1p53 : std::numeric_limits<double>::max();
  if ((block.array().abs() <= most).all()) return;
  for (Index i = 0; i < block.rows(); ++i) {
    for (Index j = 0; j < block.cols(); ++j) {
      const double value = block(i, j);
      if (std::abs(value) <= most) continue;
      throw DataError(fmt::format("{} is {}{}", place(file, rows[static_cast<std::size_t>(first + i)], j), value,
                                  std::isfinite(value)
                                      ? ", beyond 2^53, where double does not hold whole numbers: leave "
                                        "ids out, or save measurements as float64"
                                      : ""));
    }
  }
}

TableRows npy_table(const NpyRows& file) {
  TableRows table;
  table.epsilon = epsilon_of(file.header());
  table.where = [file](Index row, Index column) { return place(file, row, column); };
  table.read = [file](const Rows& rows, const TableRows::Take& take) {
    read_blocks<double>(file, rows, [&](Index first, Matrix<double>& block) {
      check_numbers(file, rows, first, block);
      take(first, block);
    });
  };
  return table;
}

template void read_blocks(const NpyRows&, const Rows&, const std::function<void(Index, Matrix<double>&)>&);
template void read_blocks(const NpyRows&, const Rows&, const std::function<void(Index, Matrix<std::int64_t>&)>&);
template void read_blocks(const NpyRows&, const Rows&, const std::function<void(Index, Matrix<std::uint64_t>&)>&);

}  // namespace ansatz
