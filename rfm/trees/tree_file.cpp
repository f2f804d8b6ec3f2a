#include "rfm/trees/tree_file.h"

#include <cmath>
#include <deque>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.h"
#include "core/files/json_value.h"

namespace ansatz::rfm {
namespace {

std::string prefix_of(Index leaf) { return "leaf." + std::to_string(leaf) + "."; }

/// The splits as three tables.
struct SplitTables {
  Matrix<double> directions, cuts, children;
};

SplitTables tables_of(const std::vector<TreeSplit>& splits, Index dimension) {
  const Index count = static_cast<Index>(splits.size());
  SplitTables tables{Matrix<double>(count, dimension), Matrix<double>(count, 2), Matrix<double>(count, 2)};
  for (Index i = 0; i < count; ++i) {
    const TreeSplit& split = splits[static_cast<std::size_t>(i)];
    tables.directions.row(i) = split.direction;
    tables.cuts.row(i) << split.threshold, split.spread;
    tables.children.row(i) << static_cast<double>(split.below), static_cast<double>(split.above);
  }
  return tables;
}

std::vector<TreeSplit> read_splits(const SafetensorsFile& file, Index count) {
  std::vector<TreeSplit> splits(static_cast<std::size_t>(count));
  if (count == 0) return splits;
  const Matrix<double> directions = file.matrix<double>("tree.directions", count, -1);
  const Matrix<double> cuts = file.matrix<double>("tree.cuts", count, 2);
  const Matrix<double> children = file.matrix<double>("tree.children", count, 2);
  if (children.cwiseAbs().maxCoeff() > static_cast<double>(count + 1))
    throw DataError(file.path().string() + ": its splits do not form a tree; damaged");
  for (Index i = 0; i < count; ++i)
    splits[static_cast<std::size_t>(i)] = {directions.row(i), cuts(i, 0), cuts(i, 1),
                                           static_cast<Index>(children(i, 0)), static_cast<Index>(children(i, 1))};
  return splits;
}

Vector<double> numbers_of(const std::vector<Index>& rows) {
  return Eigen::Map<const Vector<Index>>(rows.data(), static_cast<Index>(rows.size())).cast<double>();
}

std::vector<Index> read_rows(const SafetensorsFile& file, Index leaf, Index training_rows) {
  const Matrix<double> numbers = file.matrix<double>(prefix_of(leaf) + "rows", -1, 0);
  std::vector<Index> rows;
  for (Index i = 0; i < numbers.rows(); ++i) {
    const double row = numbers(i, 0);
    if (!(row >= 0 && row < static_cast<double>(training_rows) && row == std::floor(row)))
      throw DataError(file.path().string() + ": a leaf's rows are none of the " + std::to_string(training_rows) +
                      " training rows: the data have changed, or the file is damaged");
    rows.push_back(static_cast<Index>(row));
  }
  return rows;
}

/// All leaves in the making of a file, which borrows from them. Of leaves that gather their centres these go again, so
/// that all of them are never in memory at once.
template <class Scalar>
class LeavesInFile {
 public:
  LeavesInFile(CentersKept centers, SafetensorsWriter& file) : centers_(centers), file_(file) {}

  void add(const TreeLeaf<Scalar>& leaf) {
    const std::string prefix = prefix_of(static_cast<Index>(rows_.size()));
    const KernelMachine<Scalar> machine = leaf.machine();
    if (centers_ == CentersKept::in_file) shared_centers_.push_back(machine.shared_centers());
    metrics_.push_back(machine.metric());
    alphas_.push_back(machine.alpha());
    rows_.push_back(numbers_of(leaf.rows()));
    add_machine(machine.kernel(), metrics_.back(), machine.centers(), alphas_.back(), centers_, file_, prefix);
    file_.add(prefix + "rows", rows_.back());
  }

 private:
  CentersKept centers_;
  SafetensorsWriter& file_;
  std::deque<Matrix<Scalar>> alphas_;  // deques: what they hold stays where it is
  std::deque<FeatureMatrix<Scalar>> metrics_;
  std::deque<Vector<double>> rows_;
  std::vector<std::shared_ptr<const Matrix<Scalar>>> shared_centers_;
};

}  // namespace

template <class Scalar>
void write_tree(const std::filesystem::path& path, const RfmTree<Scalar>& tree, CentersKept centers,
                const std::function<void(SafetensorsWriter&)>& add_more) {
  const RoutingOptions& routing = tree.routing().options();
  const Json json = {{"leaves", tree.routing().leaves()},
                     {"temperature", routing.temperature},
                     {"negligible", routing.negligible},
                     {"most_leaves", routing.most_leaves}};
  const SplitTables tables = tables_of(tree.routing().splits(), tree.input_dimension());
  SafetensorsWriter file;  // borrows all that follows
  file.add_text("tree", json.dump());
  if (tables.cuts.rows() > 0) {
    file.add("tree.directions", tables.directions);
    file.add("tree.cuts", tables.cuts);
    file.add("tree.children", tables.children);
  }
  LeavesInFile<Scalar> leaves(centers, file);
  for (const TreeLeaf<Scalar>& leaf : tree.leaves()) leaves.add(leaf);
  if (add_more) add_more(file);
  file.write(path);
}

template <class Scalar>
RfmTree<Scalar> read_tree(const std::filesystem::path& path, const std::function<StoredRows<Scalar>()>& training_rows) {
  constexpr Index kMost = std::numeric_limits<Index>::max();
  const SafetensorsFile file(path);
  const JsonValue json = file.metadata_json("tree");
  const Index count = json.at("leaves").integer(1, kMost);
  RoutingOptions options;
  options.temperature = json.at("temperature").number();
  options.negligible = json.at("negligible").number();
  options.most_leaves = json.at("most_leaves").integer(1, kMost);
  std::optional<StoredRows<Scalar>> stored;
  std::vector<TreeLeaf<Scalar>> leaves;
  for (Index leaf = 0; leaf < count; ++leaf) {
    std::vector<Index> rows;
    const auto read_centers = [&] {
      if (!stored) stored = training_rows();
      rows = read_rows(file, leaf, stored->rows());
      return std::make_shared<const Matrix<Scalar>>(stored->gather(rows));
    };
    KernelMachine<Scalar> machine = read_machine<Scalar>(file, read_centers, prefix_of(leaf));
    if (!stored) rows = read_rows(file, leaf, kMost);
    if (stored)
      leaves.emplace_back(std::move(machine), std::move(rows), *stored);
    else
      leaves.emplace_back(std::move(machine), std::move(rows));
  }
  try {
    return RfmTree<Scalar>(TreeRouting(read_splits(file, count - 1), options), std::move(leaves));
  } catch (const Error& error) {
    throw DataError(path.string() + ": " + error.what());
  }
}

template void write_tree(const std::filesystem::path&, const RfmTree<float>&, CentersKept,
                         const std::function<void(SafetensorsWriter&)>&);
template void write_tree(const std::filesystem::path&, const RfmTree<double>&, CentersKept,
                         const std::function<void(SafetensorsWriter&)>&);
template RfmTree<float> read_tree(const std::filesystem::path&, const std::function<StoredRows<float>()>&);
template RfmTree<double> read_tree(const std::filesystem::path&, const std::function<StoredRows<double>()>&);

}  // namespace ansatz::rfm
