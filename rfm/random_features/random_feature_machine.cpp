#include "rfm/random_features/random_feature_machine.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/machine/interrupt.h"
#include "rfm/gradients/outer_product_sum.h"
#include "rfm/pairs/range.h"

namespace ansatz::rfm {
namespace {

template <class Scalar>
void require_width(const RandomFeatures<Scalar>& features, const MatrixView<Scalar>& x) {
  if (x.cols() != features.input_dimension())
    throw DataError(fmt::format("random-feature machine: inputs have {} columns, the machine was fitted on {}",
                                x.cols(), features.input_dimension()));
}

/// The weights with those of the longest frequencies 0.
template <class Scalar>
Matrix<Scalar> without_longest(const RandomFeatures<Scalar>& features, Matrix<Scalar> weights) {
  const Matrix<Scalar>& w = features.frequencies();
  const double longest = length_quantile<Scalar>(w, kGradientShare);
  for (Index j = 0; j < w.rows(); ++j)
    for (Index row = j; row < weights.rows() && w.row(j).template cast<double>().norm() > longest; row += w.rows())
      weights.row(row).setZero();
  return weights;
}

template <class Scalar>
void require_room(Index width, bool restricted, const GradientOptions& options) {
  if (options.samples < 0) throw ConfigError("gradient_samples must be at least 1 or all");
  if (restricted || width <= kDenseLimit) return;
  throw MemoryError(fmt::format(
      "a full feature matrix of {} inputs would take {:.1f} GB (limit: {} inputs); use feature_matrix: diagonal, or "
      "fewer pixels or columns",
      width, static_cast<double>(sizeof(Scalar)) * static_cast<double>(width) * static_cast<double>(width) / 1e9,
      kDenseLimit));
}

/// Points [begin, begin + rows) of those chosen from x; of x itself if none are.
template <class Scalar>
Matrix<Scalar> some_points(const MatrixView<Scalar>& x, const std::vector<Index>& chosen, Index begin, Index rows) {
  if (chosen.empty()) return x.middleRows(begin, rows);
  return x(std::vector<Index>(chosen.begin() + begin, chosen.begin() + begin + rows), Eigen::all);
}

/// Of the gradients at those points, tile by tile.
template <class Scalar>
FeatureMatrix<Scalar> mean_outer_product(const RandomFeatures<Scalar>& features, const Matrix<Scalar>& weights,
                                         const MatrixView<Scalar>& x, const std::vector<Index>& chosen,
                                         const GradientOptions& options) {
  const Index points = chosen.empty() ? x.rows() : static_cast<Index>(chosen.size()), outputs = weights.cols();
  const Index tile = feature_tile_rows(std::max(features.count(), outputs * features.frequencies().cols()));
  OuterProductSum<Scalar> sum(features.coordinates(), outputs, options);
  for (Index begin = 0; begin < points; begin += tile) {
    throw_if_interrupted();
    const Index rows = std::min(tile, points - begin);
    const Matrix<Scalar> some = some_points<Scalar>(x, chosen, begin, rows);
    const Matrix<Scalar> stacked = features.gradients(features.coordinates().prepare(some), weights);
    for (Index output = 0; output < outputs; ++output) {
      Matrix<Scalar> gradients = stacked.middleRows(output * rows, rows);
      sum.add(output, begin == 0, gradients);
    }
  }
  return sum.finish(points);
}

template <class Scalar>
double gradient_flops(const RandomFeatures<Scalar>& features, Index points, Index outputs) {
  const double m = static_cast<double>(points), c = static_cast<double>(outputs);
  const double q = static_cast<double>(features.frequencies().cols());
  return 2 * m * q * static_cast<double>(features.frequencies().rows()) * (1 + c) + m * q * q * c;
}

}  // namespace

Index feature_tile_rows(Index width) {
  constexpr Index kEntries = Index(1) << 24;
  return std::clamp<Index>(kEntries / std::max<Index>(width, 1), 64, 4096);
}

template <class Scalar>
RandomFeatureMachine<Scalar>::RandomFeatureMachine(std::shared_ptr<const RandomFeatures<Scalar>> features,
                                                   Matrix<Scalar> weights)
    : features_(std::move(features)), weights_(std::move(weights)) {
  if (weights_.rows() != features_->count())
    throw DataError(
        fmt::format("random-feature machine: {} rows of weights for {} features", weights_.rows(), features_->count()));
  if (!weights_.allFinite())
    throw NumericalError("random-feature machine: the weights are not finite; use a larger ridge");
}

template <class Scalar>
Matrix<Scalar> RandomFeatureMachine<Scalar>::predict(const MatrixView<Scalar>& x) const {
  require_width(*features_, x);
  const Index tile = feature_tile_rows(features_->count());
  Matrix<Scalar> result(x.rows(), output_dimension());
  for (Index begin = 0; begin < x.rows(); begin += tile) {
    const Index rows = std::min(tile, x.rows() - begin);
    result.middleRows(begin, rows).noalias() = features_->map(x.middleRows(begin, rows)) * weights_;
  }
  return result;
}

template <class Scalar>
Matrix<Scalar> RandomFeatureMachine<Scalar>::input_jacobian(const MatrixView<Scalar>& x) const {
  require_width(*features_, x);
  const Index c = output_dimension(), tile = feature_tile_rows(std::max(features_->count(), c * input_dimension()));
  Matrix<Scalar> result(x.rows() * c, input_dimension());
  for (Index begin = 0; begin < x.rows(); begin += tile) {
    const Index rows = std::min(tile, x.rows() - begin);
    const PreparedPoints<Scalar> points = features_->coordinates().prepare(x.middleRows(begin, rows));
    const Matrix<Scalar> lifted = features_->coordinates().lift(features_->gradients(points, weights_));
    for (Index output = 0; output < c; ++output)
      for (Index i = 0; i < rows; ++i) result.row((begin + i) * c + output) = lifted.row(output * rows + i);
  }
  return result;
}

template <class Scalar>
GradientOuterProduct<Scalar> gradient_outer_product(const RandomFeatureMachine<Scalar>& machine,
                                                    const MatrixView<Scalar>& x, const GradientOptions& options,
                                                    const RandomStream& stream) {
  const Stopwatch start;
  const RandomFeatures<Scalar>& features = machine.features();
  require_width(features, x);
  require_room<Scalar>(features.coordinates().latent_dimension(), is_restricted(options), options);
  if (!blocks_of(options).empty()) require_room<Scalar>(x.cols(), false, options);
  Matrix<Scalar> weights = features.heavy_tailed() ? without_longest(features, machine.weights()) : machine.weights();
  GradientOuterProduct<Scalar> result;
  result.unit = range_unit<Scalar>(static_cast<double>(weights.cwiseAbs().maxCoeff()) *
                                   length_quantile<Scalar>(few_rows<Scalar>(features.frequencies()), 0.5));
  if (result.unit != 1) weights *= static_cast<Scalar>(1 / result.unit);
  std::vector<Index> chosen;
  if (options.samples > 0 && options.samples < x.rows())
    chosen = RandomStream(stream).sample(x.rows(), options.samples);
  result.matrix = mean_outer_product<Scalar>(features, weights, x, chosen, options);
  const Index points = chosen.empty() ? x.rows() : options.samples;
  result.summary = {"direct", points, start.seconds(), gradient_flops(features, points, weights.cols())};
  return result;
}

#define ANSATZ_INSTANTIATE(Scalar)                              \
  template class RandomFeatureMachine<Scalar>;                  \
  template GradientOuterProduct<Scalar> gradient_outer_product( \
      const RandomFeatureMachine<Scalar>&, const MatrixView<Scalar>&, const GradientOptions&, const RandomStream&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz::rfm
