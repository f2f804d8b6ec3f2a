#include "rfm/solvers/iterative/pivoted_cholesky.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ansatz::rfm {
namespace {

constexpr Index kBlock = 100;     // candidates at once: enough for the matrix product, few enough to be accepted
constexpr double kResolved = 64;  // a pivot must stand out from rounding this far

/// `count` indices drawn with probabilities in proportion to `weights`, without repetitions.
std::vector<Index> draw(const Vector<double>& weights, Index count, RandomStream& stream) {
  std::vector<double> cumulated(static_cast<std::size_t>(weights.size()));
  std::partial_sum(weights.data(), weights.data() + weights.size(), cumulated.begin());
  std::vector<Index> drawn;
  for (Index i = 0; i < count; ++i) {
    const double at = stream.uniform() * cumulated.back();
    const auto found = std::upper_bound(cumulated.begin(), cumulated.end(), at);
    const Index index = std::min<Index>(found - cumulated.begin(), weights.size() - 1);
    if (std::find(drawn.begin(), drawn.end(), index) == drawn.end()) drawn.push_back(index);
  }
  return drawn;
}

/// The candidates that are taken, as positions, and the Cholesky factor (lower triangular) of what is left between
/// them.
struct Taken {
  std::vector<Index> positions;
  Matrix<double> root;
};

/// Walks through the candidates: each is taken with the probability (what is left of its diagonal after those taken
/// before it) / (what was left when it was drawn). `between`: K - F F^T between candidates.
Taken thin(Matrix<double> between, const Vector<double>& drawn_with, double least, Index at_most,
           RandomStream& stream) {
  const Index count = between.rows();
  Matrix<double> columns(count, count);
  Taken taken;
  for (Index j = 0; j < count; ++j) {
    const auto size = static_cast<Index>(taken.positions.size());
    const double pivot = between(j, j), threshold = stream.uniform() * drawn_with[j];
    if (size == at_most || !(pivot > threshold) || !(pivot > least)) continue;
    columns.col(size) = between.col(j) / std::sqrt(pivot);
    between.noalias() -= columns.col(size) * columns.col(size).transpose();
    taken.positions.push_back(j);
  }
  taken.root = columns(taken.positions, Eigen::seqN(0, static_cast<Index>(taken.positions.size())));
  return taken;
}

/// Takes up to `at_most` of the candidates into F, whose first `size` columns are there.
template <class Scalar>
Index take(const KernelOperator<Scalar>& k, const std::vector<Index>& candidates, Index size, double least,
           RandomStream& stream, PartialCholesky<Scalar>& found) {
  Matrix<Scalar> columns = k.columns(candidates);
  const Matrix<Scalar> rows = found.factor(candidates, Eigen::seqN(0, size));
  columns.noalias() -= found.factor.leftCols(size) * rows.transpose();
  const Matrix<double> between = columns(candidates, Eigen::all).template cast<double>();
  const Taken taken = thin(between, found.left(candidates), least, found.factor.cols() - size, stream);
  const auto count = static_cast<Index>(taken.positions.size());
  Matrix<Scalar> added = columns(Eigen::all, taken.positions);
  const Matrix<Scalar> root = taken.root.template cast<Scalar>();
  root.template triangularView<Eigen::Lower>().transpose().template solveInPlace<Eigen::OnTheRight>(added);
  found.factor.middleCols(size, count) = added;
  found.left = (found.left - added.template cast<double>().rowwise().squaredNorm()).cwiseMax(0.0);
  for (const Index position : taken.positions) {
    found.pivots.push_back(candidates[static_cast<std::size_t>(position)]);
    found.left[found.pivots.back()] = 0;
  }
  return count;
}

}  // namespace

template <class Scalar>
PartialCholesky<Scalar> randomly_pivoted_cholesky(const KernelOperator<Scalar>& k, Index rank, RandomStream stream) {
  PartialCholesky<Scalar> found;
  found.factor.resize(k.size(), std::min(rank, k.size()));
  found.left = k.diagonal().template cast<double>();
  const double least = kResolved * static_cast<double>(Eigen::NumTraits<Scalar>::epsilon()) * found.left.mean();
  Index size = 0;
  while (size < found.factor.cols() && found.left.maxCoeff() > least) {
    const Index taken = take(k, draw(found.left, kBlock, stream), size, least, stream, found);
    if (taken == 0) break;  // only rounding is left
    size += taken;
  }
  if (size < found.factor.cols()) found.factor = Matrix<Scalar>(found.factor.leftCols(size));
  return found;
}

template PartialCholesky<float> randomly_pivoted_cholesky(const KernelOperator<float>&, Index, RandomStream);
template PartialCholesky<double> randomly_pivoted_cholesky(const KernelOperator<double>&, Index, RandomStream);

}  // namespace ansatz::rfm
