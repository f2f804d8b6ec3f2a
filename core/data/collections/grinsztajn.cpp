#include "core/data/collections/grinsztajn.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"

namespace ansatz {
namespace {

/// The whole part of a share of n rows, as the benchmark's splits have it.
Index share_of(double fraction, Index n) { return static_cast<Index>(fraction * static_cast<double>(n)); }

struct PartSizes {
  Index train = 0, validation = 0, test = 0;
};

PartSizes sizes_of(Index rows, const GrinsztajnOptions& options, const std::string& name) {
  PartSizes sizes;
  sizes.train = std::min(options.train_limit, share_of(options.train_fraction, rows));
  const Index rest = rows - sizes.train;
  const Index validation = share_of(options.validation_fraction, rest);
  sizes.validation = std::min(options.validation_limit, validation);
  sizes.test = std::min(options.test_limit, rest - validation);
  if (sizes.train < 1 || sizes.validation < 1 || sizes.test < 1)
    throw DataError(fmt::format(
        "{}: {} rows make {} training, {} validation and {} test rows, and none may be empty; leave the set "
        "out, or change `random.train_fraction` or `random.validation_fraction`",
        name, rows, sizes.train, sizes.validation, sizes.test));
  return sizes;
}

std::vector<Index> sorted_part(const std::vector<Index>& rows, Index first, Index count) {
  std::vector<Index> part(rows.begin() + first, rows.begin() + first + count);
  std::sort(part.begin(), part.end());
  return part;
}

ThreeWaySplit draw_split(Index rows, const PartSizes& sizes, RandomStream stream) {
  const std::vector<Index> order = stream.permutation(rows);
  const Index test_begin = rows - sizes.test;
  return {sorted_part(order, 0, sizes.train), sorted_part(order, sizes.train, sizes.validation),
          sorted_part(order, test_begin, sizes.test)};
}

std::vector<std::vector<Index>> rows_by_class(const Dataset<double>& data) {
  std::vector<std::vector<Index>> classes(static_cast<std::size_t>(data.outputs()));
  for (Index i = 0; i < data.size(); ++i) {
    Index label = 0;
    data.targets.row(i).maxCoeff(&label);
    classes[static_cast<std::size_t>(label)].push_back(i);
  }
  return classes;
}

/// The new places of rows that were kept (ascending); rows that were not are left out.
std::vector<Index> moved(const std::vector<Index>& rows, const std::vector<Index>& kept) {
  std::vector<Index> places;
  for (const Index row : rows) {
    const auto found = std::lower_bound(kept.begin(), kept.end(), row);
    if (found != kept.end() && *found == row) places.push_back(found - kept.begin());
  }
  return places;
}

}  // namespace

TableSet numeric_columns_only(TableSet set) {
  std::vector<Index> kept;
  std::vector<ColumnGroup> groups;
  std::vector<std::string> names, dropped;
  for (const ColumnGroup& group : set.rows.column_groups) {
    if (group.one_hot) {
      dropped.push_back(group.name);
      continue;
    }
    groups.push_back({group.name, static_cast<Index>(kept.size()), group.width, false});
    for (Index j = group.first; j < group.first + group.width; ++j) kept.push_back(j);
  }
  if (dropped.empty()) return set;
  if (kept.empty())
    throw DataError(fmt::format("{}: all {} columns are categories, so that none is left", set.name, dropped.size()));
  for (const Index j : kept) names.push_back(set.rows.feature_names[static_cast<std::size_t>(j)]);
  set.rows.inputs = Matrix<double>(set.rows.inputs(Eigen::all, kept));
  set.rows.column_groups = std::move(groups);
  set.rows.feature_names = std::move(names);
  set.notes.push_back(fmt::format("columns of categories left out: {}", fmt::join(dropped, ", ")));
  return set;
}

TableSet balance_classes(TableSet set, const RandomStream& stream) {
  if (set.rows.task == Task::regression) return set;
  const std::vector<std::vector<Index>> classes = rows_by_class(set.rows);
  std::size_t fewest = classes.front().size(), most = fewest;
  for (const std::vector<Index>& rows : classes) {
    fewest = std::min(fewest, rows.size());
    most = std::max(most, rows.size());
  }
  if (fewest == most) return set;
  if (fewest == 0) throw DataError(set.name + ": a class has no rows, so that the classes cannot be balanced");
  std::vector<Index> kept;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    RandomStream of_class = stream.named(fmt::format("class/{}", k));
    for (const Index i : of_class.sample(static_cast<Index>(classes[k].size()), static_cast<Index>(fewest)))
      kept.push_back(classes[k][static_cast<std::size_t>(i)]);
  }
  std::sort(kept.begin(), kept.end());
  set.notes.push_back(
      fmt::format("classes balanced: {} of {} rows, {} of each class", kept.size(), set.rows.size(), fewest));
  set.rows = set.rows.rows(kept);
  if (set.tuning) set.tuning = RowSplit{moved(set.tuning->train, kept), moved(set.tuning->test, kept)};
  for (RowSplit& fold : set.folds) fold = {moved(fold.train, kept), moved(fold.test, kept)};
  return set;
}

Index grinsztajn_repeats(Index test_rows) {
  return test_rows > 6000 ? 1 : test_rows > 3000 ? 2 : test_rows > 1000 ? 3 : 5;
}

void require_enough_rows(const TableSetSize& set, const GrinsztajnOptions& options) {
  sizes_of(set.rows, options, set.name);
}

std::vector<ThreeWaySplit> grinsztajn_splits(const TableSet& set, const GrinsztajnOptions& options,
                                             const RandomStream& stream) {
  const PartSizes sizes = sizes_of(set.rows.size(), options, set.name);
  std::vector<ThreeWaySplit> splits;
  const Index repeats = options.repeats > 0 ? options.repeats : grinsztajn_repeats(sizes.test);
  for (Index r = 0; r < repeats; ++r)
    splits.push_back(draw_split(set.rows.size(), sizes, stream.named(fmt::format("repeat/{}", r))));
  return splits;
}

}  // namespace ansatz
