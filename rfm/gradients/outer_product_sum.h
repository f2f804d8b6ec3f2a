// Sums of outer products of gradients, exactly centred.
#pragma once

#include <vector>

#include "rfm/gradients/gradient_options.h"
#include "rfm/pairs/metric_coordinates.h"

namespace ansatz::rfm {

/// The feature matrix with this diagonal (length d; negative entries count as 0) and these `values` of the blocks on
/// it: in diagonal form if there are no blocks, else dense.
template <class Scalar>
FeatureMatrix<Scalar> restricted(const Eigen::VectorXd& diagonal, const std::vector<ColumnGroup>& blocks,
                                 const std::vector<Matrix<Scalar>>& values);

/// Sums g g^T (or its diagonal, or blocks of it) over points and outputs, for gradients g that come in tiles. Centring
/// is exact: each output's gradients are taken relative to the mean over its first tile, so that the final correction
/// is small. Borrows the coordinates.
template <class Scalar>
class OuterProductSum {
 public:
  OuterProductSum(const MetricCoordinates<Scalar>& coordinates, Index outputs, const GradientOptions& options);

  /// g: tile x q, gradients of one output in M's coordinates; overwritten.
  void add(Index output, bool first_tile, Matrix<Scalar>& g);
  /// The mean over `points` gradients.
  FeatureMatrix<Scalar> finish(Index points);

 private:
  const MetricCoordinates<Scalar>& coordinates_;
  bool center_;
  bool lifted_;  // gradients are summed in input coordinates, as diagonal and blocks need; else in M's
  std::vector<ColumnGroup> blocks_;
  std::vector<Matrix<Scalar>> sums_;  // of each block, upper triangle
  Eigen::VectorXd squares_;           // d
  Matrix<Scalar> shift_;              // c x q (lifted: d)
  Eigen::MatrixXd excess_;            // c x q: sums of the shifted gradients
};

}  // namespace ansatz::rfm
