#include "rfm/trees/rfm_tree.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/machine/parallel.h"
#include "rfm/trees/within_memory.h"

namespace ansatz::rfm {
namespace {

constexpr Index kRoutedRows = 256;

/// Which rows a leaf has a share of.
struct Part {
  std::vector<Index> rows;
  std::vector<double> weights;
  std::vector<Eigen::RowVectorXd> gradients;  // of the weights (d); empty: not asked for
};

template <class Scalar>
std::vector<Part> route(const TreeRouting& routing, const MatrixView<Scalar>& x, bool with_gradients) {
  std::vector<std::vector<LeafShare>> shares(static_cast<std::size_t>(x.rows()));
  parallel_tiles(x.rows(), kRoutedRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      shares[static_cast<std::size_t>(i)] = routing.shares(x.row(i).template cast<double>());
  });
  std::vector<Part> leaves(static_cast<std::size_t>(routing.leaves()));
  for (Index i = 0; i < x.rows(); ++i) {
    const std::vector<LeafShare>& row = shares[static_cast<std::size_t>(i)];
    Matrix<double> gradients;
    if (with_gradients) gradients = routing.share_gradients(x.row(i).template cast<double>(), row);
    for (std::size_t s = 0; s < row.size(); ++s) {
      Part& leaf = leaves[static_cast<std::size_t>(row[s].leaf)];
      leaf.rows.push_back(i);
      leaf.weights.push_back(row[s].weight);
      if (with_gradients) leaf.gradients.push_back(gradients.row(static_cast<Index>(s)));
    }
  }
  return leaves;
}

template <class Scalar>
double most_bytes(const std::vector<TreeLeaf<Scalar>>& leaves) {
  double most = 0;
  for (const TreeLeaf<Scalar>& leaf : leaves) most = std::max(most, leaf.bytes_in_use());
  return most;
}

template <class Scalar>
void require_width(const RfmTree<Scalar>& tree, const MatrixView<Scalar>& x) {
  if (x.cols() != tree.input_dimension())
    throw DataError("rfm tree: inputs have " + std::to_string(x.cols()) + " columns, the tree was fitted on " +
                    std::to_string(tree.input_dimension()));
}

}  // namespace

template <class Scalar>
RfmTree<Scalar>::RfmTree(TreeRouting routing, std::vector<TreeLeaf<Scalar>> leaves)
    : routing_(std::move(routing)), leaves_(std::move(leaves)) {
  if (static_cast<Index>(leaves_.size()) != routing_.leaves())
    throw DataError("rfm tree: " + std::to_string(leaves_.size()) + " leaves for " +
                    std::to_string(routing_.splits().size()) + " splits");
  dimension_ = leaves_.front().input_dimension();
  for (const TreeLeaf<Scalar>& leaf : leaves_)
    if (leaf.input_dimension() != dimension_ || leaf.output_dimension() != output_dimension())
      throw DataError("rfm tree: its leaves have different numbers of inputs or outputs");
  for (const TreeSplit& split : routing_.splits())
    if (split.direction.size() != dimension_) throw DataError("rfm tree: a split of another width than the leaves");
}

template <class Scalar>
std::vector<Matrix<Scalar>> RfmTree<Scalar>::leaf_predictions(
    const MatrixView<Scalar>& x, const std::function<std::vector<Index>(Index)>& rows_of) const {
  std::vector<Matrix<Scalar>> predictions(leaves_.size());
  parallel_within_memory(routing_.leaves(), most_bytes(leaves_), [&](Index leaf) {
    const std::vector<Index> rows = rows_of(leaf);
    const auto l = static_cast<std::size_t>(leaf);
    if (!rows.empty()) predictions[l] = leaves_[l].machine().predict(Matrix<Scalar>(x(rows, Eigen::all)));
  });
  return predictions;
}

template <class Scalar>
Matrix<Scalar> RfmTree<Scalar>::predict(const MatrixView<Scalar>& x) const {
  require_width(*this, x);
  const std::vector<Part> parts = route<Scalar>(routing_, x, false);
  const std::vector<Matrix<Scalar>> predictions =
      leaf_predictions(x, [&](Index leaf) { return parts[static_cast<std::size_t>(leaf)].rows; });
  Matrix<double> result = Matrix<double>::Zero(x.rows(), output_dimension());
  for (std::size_t l = 0; l < parts.size(); ++l)
    for (std::size_t i = 0; i < parts[l].rows.size(); ++i)
      result.row(parts[l].rows[i]) +=
          parts[l].weights[i] * predictions[l].row(static_cast<Index>(i)).template cast<double>();
  return result.template cast<Scalar>();
}

/// Row i, output j: sum_l share_l grad f_lj + f_lj grad share_l.
template <class Scalar>
Matrix<Scalar> RfmTree<Scalar>::input_jacobian(const MatrixView<Scalar>& x) const {
  require_width(*this, x);
  const Index c = output_dimension();
  const std::vector<Part> parts = route<Scalar>(routing_, x, true);
  Matrix<double> result = Matrix<double>::Zero(x.rows() * c, dimension_);
  for (std::size_t l = 0; l < parts.size(); ++l) {
    if (parts[l].rows.empty()) continue;
    const KernelMachine<Scalar> machine = leaves_[l].machine();
    const Matrix<Scalar> inputs = x(parts[l].rows, Eigen::all);
    const Matrix<double> values = machine.predict(inputs).template cast<double>();
    const Matrix<Scalar> jacobian = machine.input_jacobian(inputs);
    for (std::size_t i = 0; i < parts[l].rows.size(); ++i) {
      const Index row = static_cast<Index>(i);
      auto block = result.middleRows(parts[l].rows[i] * c, c);
      block += parts[l].weights[i] * jacobian.middleRows(row * c, c).template cast<double>();
      block += values.row(row).transpose() * parts[l].gradients[i];
    }
  }
  return result.template cast<Scalar>();
}

template <class Scalar>
FeatureMatrix<Scalar> RfmTree<Scalar>::mean_feature_matrix() const {
  using Form = typename FeatureMatrix<Scalar>::Form;
  const double d = static_cast<double>(dimension_);
  double rows = 0;
  bool diagonal = dimension_ > kDenseLimit;
  for (const TreeLeaf<Scalar>& leaf : leaves_) rows += static_cast<double>(leaf.size());
  if (!diagonal)
    diagonal = std::all_of(leaves_.begin(), leaves_.end(),
                           [](const TreeLeaf<Scalar>& leaf) { return leaf.feature_matrix().form() == Form::diagonal; });
  Matrix<double> sum = Matrix<double>::Zero(dimension_, diagonal ? 1 : dimension_);
  for (const TreeLeaf<Scalar>& leaf : leaves_) {
    const FeatureMatrix<Scalar> m = leaf.feature_matrix();
    const double trace = m.trace(), weight = trace > 0 ? static_cast<double>(leaf.size()) / rows * d / trace : 0;
    if (diagonal)
      sum += weight * m.diagonal_in_double();
    else
      sum += weight * m.to_dense().template cast<double>();
  }
  if (diagonal) return FeatureMatrix<Scalar>::diagonal_form(Vector<Scalar>(sum.col(0).template cast<Scalar>()));
  return FeatureMatrix<Scalar>::dense(Matrix<Scalar>(sum.template cast<Scalar>()));
}

template class RfmTree<float>;
template class RfmTree<double>;

}  // namespace ansatz::rfm
