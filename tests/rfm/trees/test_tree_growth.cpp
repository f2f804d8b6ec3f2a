#include <numeric>

#include "core/machine/parallel.h"
#include "rfm/trees/fitting/split_directions.h"
#include "rfm/trees/fitting/tree_growth.h"
#include "tests/rfm/trees/tree_data.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::rfm;
using namespace ansatz::rfm::test;

namespace {

StoredDataset<double> shared(Dataset<double> data) {
  return StoredDataset<double>::of(std::make_shared<const Dataset<double>>(std::move(data)));
}

/// Every row in exactly one leaf, the one that it leads to.
void check_leaves(const GrownTree& tree, const StoredDataset<double>& data) {
  const TreeRouting routing(tree.splits);
  REQUIRE(routing.leaves() == static_cast<Index>(tree.leaf_rows.size()));
  std::vector<int> seen(static_cast<std::size_t>(data.size()), 0);
  for (std::size_t leaf = 0; leaf < tree.leaf_rows.size(); ++leaf) {
    CHECK(std::is_sorted(tree.leaf_rows[leaf].begin(), tree.leaf_rows[leaf].end()));
    for (const Index row : tree.leaf_rows[leaf]) {
      ++seen[static_cast<std::size_t>(row)];
      CHECK(routing.leaf_of(data.inputs.gather({row}).row(0)) == static_cast<Index>(leaf));
    }
  }
  CHECK(std::all_of(seen.begin(), seen.end(), [](int count) { return count == 1; }));
}

}  // namespace

TEST_CASE("rows are halved until a leaf holds few enough") {
  const StoredDataset<double> data = shared(two_regimes<double>(400, 6, 1));
  const GrownTree tree = grow_tree(data, tree_options(60), RandomStream(1));
  REQUIRE(tree.leaf_rows.size() == 8);
  for (const std::vector<Index>& rows : tree.leaf_rows) CHECK(rows.size() == 50);
  check_leaves(tree, data);
  CHECK(std::abs(tree.splits.front().direction[0]) > 0.9);  // x_0 matters most
}

TEST_CASE("a tree that holds all rows has no split") {
  const StoredDataset<double> data = shared(two_regimes<double>(40, 6, 1));
  const GrownTree tree = grow_tree(data, tree_options(40), RandomStream(1));
  CHECK(tree.splits.empty());
  REQUIRE(tree.leaf_rows.size() == 1);
  CHECK(tree.leaf_rows[0].size() == 40);
  CHECK(tree.leaf_paths[0].empty());
}

TEST_CASE("the splits do not depend on the number of threads") {
  const StoredDataset<double> data = shared(two_regimes<double>(3000, 6, 1));
  const auto grown = [&](int count) {
    const ThreadScope scope(count);
    return grow_tree(data, tree_options(300), RandomStream(1));
  };
  const GrownTree one = grown(1), three = grown(3);
  REQUIRE(one.splits.size() == three.splits.size());
  for (std::size_t i = 0; i < one.splits.size(); ++i) {
    CHECK(one.splits[i].direction == three.splits[i].direction);
    CHECK(one.splits[i].threshold == three.splits[i].threshold);
  }
  CHECK(one.leaf_rows == three.leaf_rows);
}

TEST_CASE("where many rows are equal along the leading direction they stay together, and other directions are tried") {
  Dataset<double> data = two_regimes<double>(400, 6, 1);
  for (Index i = 0; i < 400; ++i) data.inputs(i, 0) = i % 2 == 0 ? 1 : 0;
  data.targets = 10 * data.inputs.col(0);  // nothing but a 0/1 column matters
  RfmTreeOptions options = tree_options(150);
  options.rfm.gradients.diagonal = true;
  const StoredDataset<double> rows = shared(data);
  const GrownTree tree = grow_tree(rows, options, RandomStream(1));
  CHECK(tree.splits.front().direction == Eigen::RowVectorXd::Unit(6, 0));
  CHECK(tree.splits.front().threshold == 0.5);
  CHECK(tree.leaf_rows.size() == 4);  // its halves are split along other columns
  check_leaves(tree, rows);
}

TEST_CASE("rows that are all equal stay one leaf") {
  Dataset<double> data = two_regimes<double>(50, 6, 1);
  data.inputs.setConstant(2);
  const GrownTree tree = grow_tree(shared(data), tree_options(10), RandomStream(1));
  CHECK(tree.splits.empty());
  CHECK(tree.leaf_rows.size() == 1);
}

TEST_CASE("without anything to learn the split follows where the inputs vary most") {
  Dataset<double> data = two_regimes<double>(200, 6, 1);
  data.inputs.col(4) *= 20;
  data.targets.setConstant(1);
  const Matrix<double> directions = split_directions(data, tree_options(10), RandomStream(1));
  REQUIRE(directions.rows() >= 1);
  CHECK(std::abs(directions(0, 4)) > 0.99);
}
