#include "core/data/normalization.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "core/base/error.h"

namespace ansatz {
namespace {

using Row = InputTransform::Row;

/// Mean, standard deviation, lowest and highest value of each column. Reads row by row, as a matrix lies in memory. The
/// deviation takes a second reading, around the mean, so that no digits cancel.
class ColumnStatistics {
 public:
  explicit ColumnStatistics(Index columns) : mean(Row::Zero(columns)), deviation(Row::Zero(columns)) {
    low = Row::Constant(columns, std::numeric_limits<double>::infinity());
    high = -low;
  }

  template <class Scalar>
  void add(const Matrix<Scalar>& x) {
    for (Index i = 0; i < x.rows(); ++i) {
      const auto row = x.row(i).template cast<double>().array();
      mean += row;
      low = low.min(row);
      high = high.max(row);
    }
    rows_ += static_cast<double>(x.rows());
  }

  /// Call between the two readings. Throws DataError naming a column whose sum, or range, overflows double.
  void finish_means(const std::vector<std::string>& names) {
    mean /= rows_;
    const Row span = high - low;
    for (Index j = 0; j < mean.size(); ++j) {
      if (!std::isfinite(mean[j]) || !std::isfinite(span[j]))
        throw DataError(
            fmt::format("column {}: its values, {} to {}, are too large to be scaled in double; divide them",
                        column_in_words(names, j), low[j], high[j]));
    }
    // Dividing by a power of two is exact. Only values whose squares would leave the range of double need it.
    constexpr int kFar = 400;
    unit_ = Row::Ones(mean.size());
    for (Index j = 0; j < mean.size(); ++j) {
      const int exponent = span[j] > 0 ? std::ilogb(span[j]) : 0;
      if (std::abs(exponent) > kFar) unit_[j] = std::ldexp(1.0, exponent);
    }
  }

  template <class Scalar>
  void add_deviations(const Matrix<Scalar>& x) {
    for (Index i = 0; i < x.rows(); ++i)
      deviation += ((x.row(i).template cast<double>().array() - mean) / unit_).square();
  }

  void finish_deviations() { deviation = (deviation / rows_).sqrt() * unit_; }

  Row mean, deviation, low, high;

 private:
  Row unit_;
  double rows_ = 0;
};

/// How columns are brought to scale, with a description in words.
struct ColumnScaling {
  Row shift, scale;
  std::string note;
  std::vector<Index> rounded;  ///< columns that are constant but for rounding
};

ColumnScaling scaling_of(const ColumnStatistics& s, bool standardize, double epsilon) {
  constexpr double kUnits = 4;
  const Row span = s.high - s.low;
  const auto varies = (span > kUnits * epsilon * s.low.abs().max(s.high.abs())).eval();
  ColumnScaling scaling;
  scaling.shift = varies.select(standardize ? s.mean : s.low, s.low);
  scaling.scale = varies.select(standardize ? s.deviation : span, Row::Ones(span.size()));
  scaling.note = standardize ? "inputs standardised by the mean and standard deviation of the training rows"
                             : "inputs scaled to [0, 1] by the lowest and highest values of the training rows";
  const Index constant = varies.size() - varies.count();
  if (constant > 0)
    scaling.note += fmt::format("; {} constant column{} only shifted", constant, constant == 1 ? "" : "s");
  for (Index j = 0; j < span.size(); ++j)
    if (!varies[j] && span[j] > 0) scaling.rounded.push_back(j);
  return scaling;
}

constexpr const char* kUnitNorm = "inputs scaled to unit Euclidean norm, row by row";

}  // namespace

std::string column_in_words(const std::vector<std::string>& names, Index column) {
  const auto j = static_cast<std::size_t>(column);
  return j < names.size() ? "\"" + names[j] + "\"" : fmt::format("{} (counted from 0)", column);
}

template <class Scalar>
void normalize(Split<Scalar>& split, Normalization kind) {
  if (kind == Normalization::none) return;
  if (kind == Normalization::unit_norm) {
    split.notes.emplace_back(kUnitNorm);
  } else {
    if (split.train.empty()) return;
    ColumnStatistics statistics(split.train.dimension());
    statistics.add(split.train.inputs);
    statistics.finish_means({});
    statistics.add_deviations(split.train.inputs);
    statistics.finish_deviations();
    ColumnScaling scaling = scaling_of(statistics, kind == Normalization::standardize,
                                       static_cast<double>(std::numeric_limits<Scalar>::epsilon()));
    split.transform.shift = std::move(scaling.shift);
    split.transform.scale = std::move(scaling.scale);
    split.notes.push_back(std::move(scaling.note));
  }
  split.transform.normalization = kind;
  for (Dataset<Scalar>* part : {&split.train, &split.validation, &split.test}) split.transform.apply(part->inputs);
  if (!split.truth) return;
  split.truth.reset();
  split.notes.emplace_back("the expected AGOP is left out: it is known for inputs that are not scaled");
}

TableScaling::TableScaling(const TableRows& train, const std::vector<Index>& rows,
                           const std::vector<std::string>& names, Normalization kind, bool fill_missing) {
  if (rows.empty()) return;
  if (fill_missing) learn_means(train, rows, names);
  if (kind == Normalization::none) return;
  if (kind == Normalization::unit_norm) {
    transform_.normalization = kind;
    notes_.emplace_back(kUnitNorm);
    return;
  }
  std::optional<ColumnStatistics> statistics;
  train.read(rows, [&](Index, Matrix<double>& block) {
    transform_.apply(block);  // so far it fills in what is missing, and no more
    if (!statistics) statistics.emplace(block.cols());
    statistics->add(block);
  });
  statistics->finish_means(names);
  train.read(rows, [&](Index, Matrix<double>& block) {
    transform_.apply(block);
    statistics->add_deviations(block);
  });
  statistics->finish_deviations();
  ColumnScaling scaling = scaling_of(*statistics, kind == Normalization::standardize, train.epsilon);
  transform_.normalization = kind;
  transform_.shift = std::move(scaling.shift);
  transform_.scale = std::move(scaling.scale);
  notes_.push_back(std::move(scaling.note));
  for (const Index j : scaling.rounded) {
    warnings_.push_back(
        fmt::format("column {}: its training values, {} to {}, differ by rounding only and are taken as constant",
                    column_in_words(names, j), statistics->low[j], statistics->high[j]));
  }
}

void TableScaling::learn_means(const TableRows& train, const std::vector<Index>& rows,
                               const std::vector<std::string>& names) {
  Row sum, known;
  train.read(rows, [&](Index, Matrix<double>& block) {
    if (sum.size() == 0) sum = known = Row::Zero(block.cols());
    for (Index i = 0; i < block.rows(); ++i) {
      const auto row = block.row(i).array();
      sum += row.isNaN().select(0.0, row);
      known += (!row.isNaN()).cast<double>();
    }
  });
  for (Index j = 0; j < known.size(); ++j) {
    if (known[j] > 0) continue;
    throw DataError(fmt::format(
        "column {}: no training row has a value, so there is no mean to replace missing ones by; ignore the column",
        column_in_words(names, j)));
  }
  transform_.fill = sum / known;
}

template void normalize(Split<float>&, Normalization);
template void normalize(Split<double>&, Normalization);

}  // namespace ansatz
