// A tree of Recursive Feature Machines for many rows (arXiv 2508.10053).
#pragma once

#include <functional>
#include <vector>

#include "core/features/predictor.h"
#include "rfm/trees/tree_leaf.h"
#include "rfm/trees/tree_routing.h"

namespace ansatz::rfm {

/// f(x) = sum over leaves of share_l(x) f_l(x): the machines of the leaves near x, mixed. Immutable. Predicting a row
/// evaluates the few leaves that it has a share of, whatever their number. Safe to call from several threads.
template <class Scalar>
class RfmTree final : public Predictor<Scalar> {
 public:
  /// Leaf i of the routing is leaves[i]. DataError if their numbers differ.
  RfmTree(TreeRouting routing, std::vector<TreeLeaf<Scalar>> leaves);

  Index input_dimension() const override { return dimension_; }
  Index output_dimension() const override { return leaves_.front().output_dimension(); }
  Matrix<Scalar> predict(const MatrixView<Scalar>& x) const override;
  /// Of the mixture: with its shares' slopes, but the choice of leaves held fixed (leaving out a leaf is a step of at
  /// most the weight `negligible`).
  Matrix<Scalar> input_jacobian(const MatrixView<Scalar>& x) const override;

  /// Of every leaf its machine's predictions of the rows of x (b x d) that `rows_of` names; empty for none.
  /// Leaves in parallel, as many at once as the memory has room for; how many changes no number.
  std::vector<Matrix<Scalar>> leaf_predictions(const MatrixView<Scalar>& x,
                                               const std::function<std::vector<Index>(Index leaf)>& rows_of) const;

  const TreeRouting& routing() const { return routing_; }
  const std::vector<TreeLeaf<Scalar>>& leaves() const { return leaves_; }
  RfmTree with(RoutingOptions options) const { return RfmTree(routing_.with(options), leaves_); }

  /// What the tree looks at on the whole: the mean of the leaves' M, each scaled to a trace of d so that none outweighs
  /// the others by its unit, weighted by their rows. Dense, or diagonal where every leaf's M is, or where d >
  /// kDenseLimit.
  FeatureMatrix<Scalar> mean_feature_matrix() const;

 private:
  TreeRouting routing_;
  std::vector<TreeLeaf<Scalar>> leaves_;
  Index dimension_ = 0;
};

}  // namespace ansatz::rfm
