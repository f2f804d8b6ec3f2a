#include "experiments/benchmark/methods/learners/column_ranks.h"

#include <algorithm>

namespace ansatz::experiments {
namespace {

float place_of(double x, const std::vector<double>& values) {
  const auto above = std::lower_bound(values.begin(), values.end(), x);
  const auto place = static_cast<float>(above - values.begin());
  if (above == values.end() || *above == x) return place;
  if (above == values.begin()) return -1;
  const double below = *(above - 1);
  return x <= below + (*above - below) / 2 ? place - 0.75f : place - 0.25f;
}

}  // namespace

ColumnRanks::ColumnRanks(const Matrix<double>& train) {
  for (Index j = 0; j < train.cols(); ++j) {
    Column column{j, std::vector<double>(static_cast<std::size_t>(train.rows()))};
    Vector<double>::Map(column.values.data(), train.rows()) = train.col(j);
    std::sort(column.values.begin(), column.values.end());
    column.values.erase(std::unique(column.values.begin(), column.values.end()), column.values.end());
    if (column.values.size() > 1) columns_.push_back(std::move(column));
  }
}

Matrix<float> ColumnRanks::apply(const Matrix<double>& inputs) const {
  Matrix<float> places(inputs.rows(), columns());
  for (Index i = 0; i < places.rows(); ++i)
    for (Index j = 0; j < places.cols(); ++j) {
      const Column& column = columns_[static_cast<std::size_t>(j)];
      places(i, j) = place_of(inputs(i, column.index), column.values);
    }
  return places;
}

}  // namespace ansatz::experiments
