#include <cmath>

#include "core/base/error.h"
#include "rfm/trees/fitting/median_cut.h"
#include "rfm/trees/tree_routing.h"
#include "tests/rfm/support.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::rfm;
using namespace ansatz::rfm::test;

namespace {

constexpr Index kDimension = 4;

/// A full tree of 2^levels leaves with random splits; node i has the children 2i+1 and 2i+2.
TreeRouting full_tree(Index levels, RoutingOptions options) {
  const Index count = (Index(1) << levels) - 1;
  std::vector<TreeSplit> splits(static_cast<std::size_t>(count));
  RandomStream stream(5);
  for (Index i = 0; i < count; ++i) {
    TreeSplit& split = splits[static_cast<std::size_t>(i)];
    split.direction = stream.normal_matrix<double>(1, kDimension).row(0).normalized();
    split.threshold = 0.3 * stream.normal();
    split.spread = 1 + stream.uniform();
    const auto child = [&](Index node) { return node < count ? node : -1 - (node - count); };
    split.below = child(2 * i + 1);
    split.above = child(2 * i + 2);
  }
  return TreeRouting(splits, options);
}

Eigen::RowVectorXd point(std::uint64_t seed) { return normal(1, kDimension, seed).row(0); }

/// From the definition: every leaf's weight, no leaf left out.
std::vector<double> all_weights(const TreeRouting& tree, const Eigen::RowVectorXd& x) {
  std::vector<double> weights(static_cast<std::size_t>(tree.leaves()));
  const std::function<void(Index, double)> walk = [&](Index node, double weight) {
    if (node < 0) {
      weights[static_cast<std::size_t>(-1 - node)] = weight;
      return;
    }
    const TreeSplit& split = tree.splits()[static_cast<std::size_t>(node)];
    const double z = (split.direction.dot(x) - split.threshold) / (tree.options().temperature * split.spread);
    walk(split.above, weight / (1 + std::exp(-z)));
    walk(split.below, weight / (1 + std::exp(z)));
  };
  walk(0, 1);
  return weights;
}

double sum_of(const std::vector<LeafShare>& shares) {
  double sum = 0;
  for (const LeafShare& share : shares) sum += share.weight;
  return sum;
}

}  // namespace

TEST_CASE("without a temperature a row goes wholly to the leaf on its side of every split") {
  const TreeRouting tree = full_tree(4, {});
  CHECK(tree.leaves() == 16);
  CHECK(tree.depth() == 4);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::vector<LeafShare> shares = tree.shares(point(seed));
    REQUIRE(shares.size() == 1);
    CHECK(shares[0].weight == 1);
    CHECK(shares[0].leaf == tree.leaf_of(point(seed)));
  }
}

TEST_CASE("shares are the products of the sides' weights") {
  RoutingOptions options;
  options.temperature = 0.5;
  options.negligible = 0;
  options.most_leaves = 16;
  const TreeRouting tree = full_tree(4, options);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<LeafShare> shares = tree.shares(point(seed));
    const std::vector<double> weights = all_weights(tree, point(seed));
    REQUIRE(shares.size() == 16);
    for (std::size_t i = 0; i < 16; ++i) {
      CHECK(shares[i].leaf == static_cast<Index>(i));
      CHECK(shares[i].weight == Approx(weights[i]).epsilon(1e-12));
    }
  }
}

TEST_CASE("shares sum to 1, the largest leaves are taken, and no more than are needed") {
  for (const double temperature : {0.0, 0.01, 0.2, 1.0, 100.0})
    for (const Index most : {1, 3, 12}) {
      CAPTURE(temperature, most);
      RoutingOptions options;
      options.temperature = temperature;
      options.most_leaves = most;
      const TreeRouting tree = full_tree(5, options);
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const std::vector<LeafShare> shares = tree.shares(point(seed));
        CHECK(sum_of(shares) == Approx(1).epsilon(1e-14));
        CHECK(static_cast<Index>(shares.size()) <= most);
        if (temperature == 0) continue;
        std::vector<double> weights = all_weights(tree, point(seed));
        double taken = 0, least = 1;
        for (const LeafShare& share : shares) {
          const double weight = weights[static_cast<std::size_t>(share.leaf)];
          taken += weight;
          least = std::min(least, weight);
          weights[static_cast<std::size_t>(share.leaf)] = 0;
        }
        for (const double other : weights) CHECK(other <= least * (1 + 1e-12));
        const bool enough = taken >= 1 - options.negligible - 1e-12;
        CHECK((enough || static_cast<Index>(shares.size()) == most));
        CHECK((shares.size() == 1 || taken - least < 1 - options.negligible));
      }
    }
}

TEST_CASE("gradients of shares agree with finite differences") {
  RoutingOptions options;
  options.temperature = 0.6;
  options.negligible = 0;
  options.most_leaves = 8;
  const TreeRouting tree = full_tree(3, options);
  const Eigen::RowVectorXd x = point(3);
  const std::vector<LeafShare> shares = tree.shares(x);
  const Matrix<double> gradients = tree.share_gradients(x, shares);
  const double h = 1e-6;
  for (Index k = 0; k < kDimension; ++k) {
    Eigen::RowVectorXd up = x, down = x;
    up[k] += h;
    down[k] -= h;
    const std::vector<LeafShare> high = tree.shares(up), low = tree.shares(down);
    for (std::size_t s = 0; s < shares.size(); ++s)
      CHECK(gradients(static_cast<Index>(s), k) ==
            Approx((high[s].weight - low[s].weight) / (2 * h)).epsilon(1e-6).margin(1e-9));
  }
}

TEST_CASE("splits that form no tree, and options out of range, are refused") {
  TreeSplit split;
  split.direction = Eigen::RowVectorXd::Ones(2);
  const auto error = [&](Index below, Index above) {
    split.below = below;
    split.above = above;
    return message_of<DataError>([&] { TreeRouting({split}); });
  };
  CHECK(error(-1, -2).empty());
  CHECK(contains(error(-1, -1), "do not form a tree"));
  CHECK(contains(error(-1, -3), "do not form a tree"));
  CHECK(contains(error(-1, 0), "do not form a tree"));
  CHECK(contains(error(-1, 1), "do not form a tree"));
  RoutingOptions options;
  options.temperature = -1;
  CHECK(contains(message_of<ConfigError>([&] { TreeRouting({}, options); }), "`temperature`"));
  options = {};
  options.most_leaves = 0;
  CHECK(contains(message_of<ConfigError>([&] { TreeRouting({}, options); }), "`most_leaves`"));
  options = {};
  options.negligible = 1;
  CHECK(contains(message_of<ConfigError>([&] { TreeRouting({}, options); }), "`negligible`"));
}

TEST_CASE("numbers are cut at the median") {
  const auto cut = median_cut({4, 1, 3, 2});
  REQUIRE(cut);
  CHECK(cut->threshold == 2.5);
  CHECK(cut->below == 2);
  CHECK(cut->smaller_share == 0.5);
  std::vector<double> many;
  for (int i = 1000; i >= 0; --i) many.push_back(i);
  CHECK(median_cut(many)->spread == 500);
  CHECK(median_cut(many)->below == 500);
}

TEST_CASE("equal numbers stay on one side of a cut") {
  CHECK_FALSE(median_cut({}));
  CHECK_FALSE(median_cut({3, 3, 3}));
  const auto behind = median_cut({0, 0, 0, 0, 0, 5, 7});  // the median is a 0: all zeros below
  REQUIRE(behind);
  CHECK(behind->below == 5);
  CHECK(behind->threshold == 2.5);
  const auto before = median_cut({-4, -2, 1, 1, 1, 1, 1});
  REQUIRE(before);
  CHECK(before->below == 2);
  CHECK(before->threshold == -0.5);
  const auto rare = median_cut({0, 0, 0, 0, 0, 0, 0, 0, 0, 8});
  REQUIRE(rare);
  CHECK(rare->spread == 8);  // the interquartile range is 0
  CHECK(rare->smaller_share == 0.1);
  const double next = std::nextafter(1.0, 2.0);
  CHECK(median_cut({1.0, next})->threshold == 1.0);  // no number lies between
}
