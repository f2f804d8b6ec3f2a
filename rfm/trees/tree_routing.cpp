#include "rfm/trees/tree_routing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <queue>

#include "core/base/error.h"

namespace ansatz::rfm {
namespace {

Index leaf_number(Index node) { return -1 - node; }

/// The weight of the side above at distance `z` from the split, in temperatures.
double logistic(double z) { return 1 / (1 + std::exp(-z)); }

struct Sides {
  double below, above;
};

Sides weights_at(const TreeSplit& split, const Eigen::RowVectorXd& x, double temperature) {
  const double distance = split.place(x) - split.threshold;
  if (temperature == 0) return distance > 0 ? Sides{0, 1} : Sides{1, 0};
  const double z = distance / (temperature * split.spread);
  return {logistic(-z), logistic(z)};
}

/// A part of the tree that waits to be entered, with the weight of all its leaves together.
struct Branch {
  double weight;
  Index node;
  bool operator<(const Branch& o) const { return weight != o.weight ? weight < o.weight : node < o.node; }
};

}  // namespace

void validate(const RoutingOptions& options) {
  if (!(options.temperature >= 0) || !std::isfinite(options.temperature))
    throw ConfigError("rfm_tree: `temperature` must be 0 or larger");
  if (!(options.negligible >= 0 && options.negligible < 1))
    throw ConfigError("rfm_tree: `negligible` must be at least 0 and less than 1");
  if (options.most_leaves < 1) throw ConfigError("rfm_tree: `most_leaves` must be at least 1");
}

double TreeSplit::place(const Eigen::RowVectorXd& x) const { return direction.dot(x); }

TreeRouting::TreeRouting(std::vector<TreeSplit> splits, RoutingOptions options)
    : splits_(std::move(splits)), options_(options) {
  validate(options_);
  require_tree();
}

/// Finds every node's parent, and so whether each is reached exactly once. A split comes after its parent.
void TreeRouting::require_tree() {
  parent_of_split_.assign(splits_.size(), -1);
  parent_of_leaf_.assign(splits_.size() + 1, -1);
  std::vector<Index> depth(splits_.size(), 0);
  for (std::size_t i = 0; i < splits_.size(); ++i) {
    const TreeSplit& split = splits_[i];
    if (i > 0 && parent_of_split_[i] < 0) throw DataError("rfm tree: a split that no other leads to; damaged");
    if (!split.direction.allFinite() || !std::isfinite(split.threshold) || !(split.spread > 0))
      throw DataError("rfm tree: a split without a direction, threshold or spread; damaged");
    for (const Index child : {split.below, split.above}) {
      std::vector<Index>& parents = child < 0 ? parent_of_leaf_ : parent_of_split_;
      const Index place = child < 0 ? leaf_number(child) : child;
      const bool known = place < static_cast<Index>(parents.size()) && (child < 0 || place > static_cast<Index>(i));
      if (!known || parents[static_cast<std::size_t>(place)] >= 0)
        throw DataError("rfm tree: its splits do not form a tree; damaged");
      parents[static_cast<std::size_t>(place)] = static_cast<Index>(i);
      if (child >= 0) depth[static_cast<std::size_t>(child)] = depth[i] + 1;
    }
    depth_ = std::max(depth_, depth[i] + 1);
  }
}

Index TreeRouting::leaf_of(const Eigen::RowVectorXd& x) const {
  Index node = splits_.empty() ? -1 : 0;
  while (node >= 0) {
    const TreeSplit& split = splits_[static_cast<std::size_t>(node)];
    node = split.place(x) <= split.threshold ? split.below : split.above;
  }
  return leaf_number(node);
}

std::vector<LeafShare> TreeRouting::shares(const Eigen::RowVectorXd& x) const {
  std::vector<LeafShare> taken;
  double sum = 0;
  std::priority_queue<Branch> waiting;  // the heaviest first: what is left in it weighs 1 - sum
  waiting.push({1, splits_.empty() ? -1 : 0});
  while (!waiting.empty() && static_cast<Index>(taken.size()) < options_.most_leaves) {
    const Branch branch = waiting.top();
    waiting.pop();
    if (branch.node < 0) {
      taken.push_back({leaf_number(branch.node), branch.weight});
      sum += branch.weight;
      if (sum >= 1 - options_.negligible) break;
      continue;
    }
    const TreeSplit& split = splits_[static_cast<std::size_t>(branch.node)];
    const Sides sides = weights_at(split, x, options_.temperature);
    if (sides.below > 0) waiting.push({branch.weight * sides.below, split.below});
    if (sides.above > 0) waiting.push({branch.weight * sides.above, split.above});
  }
  std::sort(taken.begin(), taken.end(), [](const LeafShare& a, const LeafShare& b) { return a.leaf < b.leaf; });
  for (LeafShare& share : taken) share.weight /= sum;
  return taken;
}

/// With w_l = prod over the way, grad log w_l = sum over the way of (1 - weight of the side taken) (+-u) / (T spread),
/// and the shares s_l = w_l / sum w have the gradients s_l (grad log w_l - sum_k s_k grad log w_k).
Matrix<double> TreeRouting::share_gradients(const Eigen::RowVectorXd& x, const std::vector<LeafShare>& shares) const {
  Matrix<double> slopes = Matrix<double>::Zero(static_cast<Index>(shares.size()), x.size());
  if (options_.temperature == 0 || shares.size() < 2) return slopes;
  Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(x.size());
  for (std::size_t s = 0; s < shares.size(); ++s) {
    auto slope = slopes.row(static_cast<Index>(s));
    Index node = -1 - shares[s].leaf, parent = parent_of_leaf_[static_cast<std::size_t>(shares[s].leaf)];
    while (parent >= 0) {
      const TreeSplit& split = splits_[static_cast<std::size_t>(parent)];
      const Sides sides = weights_at(split, x, options_.temperature);
      const double steepness = node == split.above ? sides.below : -sides.above;
      slope += steepness / (options_.temperature * split.spread) * split.direction;
      node = parent;
      parent = parent_of_split_[static_cast<std::size_t>(parent)];
    }
    mean += shares[s].weight * slope;
  }
  for (std::size_t s = 0; s < shares.size(); ++s) {
    auto slope = slopes.row(static_cast<Index>(s));
    slope = shares[s].weight * (slope - mean);
  }
  return slopes;
}

}  // namespace ansatz::rfm
