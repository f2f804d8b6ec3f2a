#include "nets/tangents/hidden_features.h"

#include <cmath>
#include <string>

#include "core/base/error.h"
#include "core/linalg/alignment.h"
#include "nets/mlp_impl.h"
#include "nets/tangents/parameters.h"
#include "nets/tensors.h"

namespace ansatz::nets {
namespace {

/// |A^T B|^2 / (|A^T A| |B^T B|) of features with their columns' means taken off: the alignment of the centred Gram
/// matrices, whichever of the two is smaller to form.
double centered_alignment(Matrix<double> a, Matrix<double> b) {
  a.rowwise() -= a.colwise().mean().eval();
  b.rowwise() -= b.colwise().mean().eval();
  if (a.rows() < a.cols()) return alignment(a * a.transpose(), b * b.transpose());
  const double size = (a.transpose() * a).norm() * (b.transpose() * b).norm();
  return size > 0 ? (a.transpose() * b).squaredNorm() / size : 0;
}

}  // namespace

template <class Scalar>
Matrix<Scalar> hidden_features(const Mlp<Scalar>& network, const MatrixView<Scalar>& x, Index layer) {
  const detail::Stack& stack = network.impl().stack;
  if (layer < 1 || layer >= network.layers())
    throw ConfigError("hidden layer " + std::to_string(layer) + ": the network has " +
                      std::to_string(network.layers() - 1) + ", counted from 1");
  if (x.cols() != stack.inputs())
    throw DataError("hidden features: the network expects inputs of " + std::to_string(stack.inputs()) +
                    " columns, found " + std::to_string(x.cols()));
  return detail::at_border("hidden features", [&] {
    detail::Stack lower = stack;  // shares the tensors
    lower.layers.resize(static_cast<std::size_t>(layer));
    at::Tensor features = detail::forward_in_tiles(lower, detail::view_of<Scalar>(x));
    info_of(stack.activation).apply(features);
    return detail::to_matrix<Scalar>(features);
  });
}

template <class Scalar>
FeatureChange feature_change(const Mlp<Scalar>& before, const Mlp<Scalar>& after, const MatrixView<Scalar>& x) {
  const Parameters<Scalar> start = parameters(before);
  FeatureChange change;
  change.moved = length(plus(parameters(after), start, -1)) / length(start);
  for (Index layer = 1; layer < before.layers(); ++layer) {
    const Matrix<double> a = hidden_features(before, x, layer).template cast<double>();
    const Matrix<double> b = hidden_features(after, x, layer).template cast<double>();
    change.hidden_cosine.push_back(alignment(a, b));
    change.hidden_alignment.push_back(centered_alignment(a, b));
  }
  const FeatureMatrix<Scalar> first = before.feature_matrix(), last = after.feature_matrix();
  change.weight_cosine = first.inner_product(last) / std::sqrt(first.inner_product(first) * last.inner_product(last));
  return change;
}

#define ANSATZ_INSTANTIATE(Scalar)                                                               \
  template Matrix<Scalar> hidden_features(const Mlp<Scalar>&, const MatrixView<Scalar>&, Index); \
  template FeatureChange feature_change(const Mlp<Scalar>&, const Mlp<Scalar>&, const MatrixView<Scalar>&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz::nets
