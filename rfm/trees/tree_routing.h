// The way of a row through a tree of splits: to one leaf, or near a split to several, each with a share.
#pragma once

#include <vector>

#include "core/base/matrix.h"

namespace ansatz::rfm {

/// An inner node of the tree: the hyperplane where u^T x = threshold.
struct TreeSplit {
  Eigen::RowVectorXd direction;  ///< u (d), of length 1
  double threshold = 0;          ///< rows with place(x) <= threshold are below, the others above
  double spread = 1;             ///< > 0: interquartile range of the places of the rows that were split
  Index below = 0, above = 0;    ///< the node there; where negative, leaf number -1 - value

  /// u^T x. All that compares a place with a threshold takes it from here, so that it has the same rounding everywhere.
  double place(const Eigen::RowVectorXd& x) const;
};

struct RoutingOptions {
  /// T. At a split, a row goes above with weight 1 / (1 + exp(-z)), z = (place - threshold) / (T spread), and below
  /// with the rest. 0: wholly to its side.
  double temperature = 0;
  double negligible = 0.01;  ///< the leaves of least weight are left out while their weights sum to less; in [0, 1)
  Index most_leaves = 12;    ///< for one row
};

/// ConfigError on an option out of range.
void validate(const RoutingOptions& options);

struct LeafShare {
  Index leaf = 0;
  double weight = 0;  ///< of a row, the weights sum to 1
};

class TreeRouting {
 public:
  /// `splits`: the root first; none: a tree of one leaf. DataError unless they are one tree over leaves 0, 1, ...
  explicit TreeRouting(std::vector<TreeSplit> splits = {}, RoutingOptions options = {});

  const std::vector<TreeSplit>& splits() const { return splits_; }
  const RoutingOptions& options() const { return options_; }
  TreeRouting with(RoutingOptions options) const { return TreeRouting(splits_, options); }
  Index leaves() const { return static_cast<Index>(splits_.size()) + 1; }
  Index depth() const { return depth_; }  ///< splits between the root and the farthest leaf

  Index leaf_of(const Eigen::RowVectorXd& x) const;  ///< the leaf on whose side of every split x lies

  /// The leaves that x has a share of, by number. A leaf's weight is the product of those on its way; the largest are
  /// taken until the rest is negligible, and scaled to sum to 1. Looks at no other part of the tree: some depth() dot
  /// products for every leaf taken.
  std::vector<LeafShare> shares(const Eigen::RowVectorXd& x) const;
  /// The gradients of their weights at x, one a row (shares x d), with the choice of leaves held fixed.
  Matrix<double> share_gradients(const Eigen::RowVectorXd& x, const std::vector<LeafShare>& shares) const;

 private:
  void require_tree();

  std::vector<TreeSplit> splits_;
  RoutingOptions options_;
  std::vector<Index> parent_of_split_, parent_of_leaf_;  ///< -1: none
  Index depth_ = 0;
};

}  // namespace ansatz::rfm
