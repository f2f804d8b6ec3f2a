// Sums of outer products of gradients, exactly centred.
#pragma once

#include <vector>

#include "rfm/gradients/gradient_options.h"
#include "rfm/pairs/metric_coordinates.h"

namespace ansatz::rfm {

/// A diagonal (d, negative entries count as 0) and the blocks on it: diagonal form if there are none, else dense.
template <class Scalar>
FeatureMatrix<Scalar> restricted(const Eigen::VectorXd& diagonal, const std::vector<ColumnGroup>& blocks,
                                 const std::vector<Matrix<Scalar>>& values);

/// Sum over points and outputs of g g^T (or its diagonal, or blocks of it) for gradients that come in tiles, and the
/// exact centring of it: each output's gradients are taken relative to the mean over its first tile, so that the final
/// correction is small. Borrows the coordinates.
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
  bool lifted_;  // gradients wrt x, as diagonal and blocks need; else in M's coordinates
  std::vector<ColumnGroup> blocks_;
  std::vector<Matrix<Scalar>> sums_;  // of each block, upper triangle
  Eigen::VectorXd squares_;           // d
  Matrix<Scalar> shift_;              // c x q (lifted: d)
  Eigen::MatrixXd excess_;            // c x q: sums of the shifted gradients
};

}  // namespace ansatz::rfm
