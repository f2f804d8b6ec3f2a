#include "rfm/gradients/outer_product_sum.h"

namespace ansatz::rfm {
namespace {

template <class Scalar>
Eigen::RowVectorXd column_sums(const Matrix<Scalar>& g) {
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(g.cols());
  for (Index i = 0; i < g.rows(); ++i) sum += g.row(i).template cast<double>();
  return sum;
}

}  // namespace

template <class Scalar>
FeatureMatrix<Scalar> restricted(const Eigen::VectorXd& diagonal, const std::vector<ColumnGroup>& blocks,
                                 const std::vector<Matrix<Scalar>>& values) {
  const Vector<Scalar> d = diagonal.cwiseMax(0.0).template cast<Scalar>();
  if (blocks.empty()) return FeatureMatrix<Scalar>::diagonal_form(d);
  Matrix<Scalar> m = d.asDiagonal();
  for (std::size_t b = 0; b < blocks.size(); ++b)
    m.block(blocks[b].first, blocks[b].first, blocks[b].width, blocks[b].width) = values[b];
  return FeatureMatrix<Scalar>::dense(std::move(m));
}

template <class Scalar>
OuterProductSum<Scalar>::OuterProductSum(const MetricCoordinates<Scalar>& coordinates, Index outputs,
                                         const GradientOptions& options)
    : coordinates_(coordinates), center_(options.center), lifted_(is_restricted(options)), blocks_(blocks_of(options)) {
  const Index width = lifted_ ? coordinates.dimension() : coordinates.latent_dimension();
  if (lifted_) squares_ = Eigen::VectorXd::Zero(width);
  for (const ColumnGroup& block : blocks_) sums_.push_back(Matrix<Scalar>::Zero(block.width, block.width));
  if (!lifted_) {
    blocks_ = {{"", 0, width, false}};
    sums_.push_back(Matrix<Scalar>::Zero(width, width));
  }
  if (!center_) return;
  shift_.resize(outputs, width);
  excess_ = Eigen::MatrixXd::Zero(outputs, width);
}

template <class Scalar>
void OuterProductSum<Scalar>::add(Index output, bool first_tile, Matrix<Scalar>& g) {
  if (g.cols() == 0) return;  // M = 0
  if (lifted_) g = coordinates_.lift(g);
  if (center_) {
    if (first_tile) shift_.row(output) = (column_sums(g) / static_cast<double>(g.rows())).template cast<Scalar>();
    g.rowwise() -= shift_.row(output);
    excess_.row(output) += column_sums(g);
  }
  for (std::size_t b = 0; b < sums_.size(); ++b)
    sums_[b].template selfadjointView<Eigen::Upper>().rankUpdate(
        g.middleCols(blocks_[b].first, blocks_[b].width).transpose());
  if (lifted_) squares_ += column_sums(Matrix<Scalar>(g.array().square())).transpose();
}

template <class Scalar>
FeatureMatrix<Scalar> OuterProductSum<Scalar>::finish(Index points) {
  const double m = static_cast<double>(points);
  const Matrix<Scalar> means = (excess_ / m).template cast<Scalar>();
  for (std::size_t b = 0; b < sums_.size(); ++b) {
    sums_[b] *= static_cast<Scalar>(1 / m);
    if (center_ && sums_[b].size() > 0)
      sums_[b].template selfadjointView<Eigen::Upper>().rankUpdate(
          means.middleCols(blocks_[b].first, blocks_[b].width).transpose(), Scalar(-1));
    sums_[b].template triangularView<Eigen::StrictlyLower>() = sums_[b].transpose();
  }
  if (!lifted_) return coordinates_.lift_outer_product(sums_.front());
  Eigen::VectorXd diagonal = squares_ / m;
  if (center_) diagonal -= (excess_ / m).array().square().colwise().sum().matrix().transpose();
  return restricted(diagonal, blocks_, sums_);
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                   \
  template class OuterProductSum<Scalar>;                                                            \
  template FeatureMatrix<Scalar> restricted(const Eigen::VectorXd&, const std::vector<ColumnGroup>&, \
                                            const std::vector<Matrix<Scalar>>&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz::rfm
