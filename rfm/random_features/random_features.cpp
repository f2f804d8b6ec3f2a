#include "rfm/random_features/random_features.h"

#include <fmt/format.h>

#include <cmath>

#include "core/base/error.h"
#include "core/machine/parallel.h"

namespace ansatz::rfm {
namespace {

constexpr Index kMappedRows = 64;

SpectralDensity required_density(const Kernel& kernel) {
  if (std::optional<SpectralDensity> density = spectral_density(kernel)) return std::move(*density);
  throw ConfigError(
      fmt::format("random features: {} has none; kernels that have: {}", kernel.describe(), kernels_with_density()));
}

void require_possible(const SpectralDensity& density, const RandomFeatureOptions& options) {
  if (options.features < 1)
    throw ConfigError(fmt::format("random features: `features` must be at least 1, is {}", options.features));
  if (density.function == FeatureFunction::fourier && options.features % 2 != 0)
    throw ConfigError(fmt::format(
        "random features: `features` must be even (a cosine and a sine of each frequency), is {}", options.features));
  if (options.orthogonal && !density.isotropic)
    throw ConfigError(
        "random features: `orthogonal` directions exist for kernels of the Euclidean distance and nngp only");
}

template <class Scalar>
Matrix<Scalar> drawn(const SpectralDensity& density, const RandomFeatureOptions& options, Index width,
                     const RandomStream& stream) {
  const Index count = density.function == FeatureFunction::fourier ? options.features / 2 : options.features;
  const RandomStream frequencies = stream.named("frequencies");
  return (options.orthogonal ? draw_orthogonal_frequencies(density, count, width, frequencies)
                             : draw_frequencies(density, count, width, frequencies))
      .template cast<Scalar>();
}

}  // namespace

template <class Scalar>
RandomFeatures<Scalar>::RandomFeatures(const Kernel& kernel, const FeatureMatrix<Scalar>& metric,
                                       const MatrixView<Scalar>& x, const RandomFeatureOptions& options,
                                       const RandomStream& stream)
    : RandomFeatures(required_density(kernel), metric, x, options, stream) {}

template <class Scalar>
RandomFeatures<Scalar>::RandomFeatures(const SpectralDensity& density, const FeatureMatrix<Scalar>& metric,
                                       const MatrixView<Scalar>& x, const RandomFeatureOptions& options,
                                       const RandomStream& stream)
    : function_(density.function),
      heavy_tailed_(density.heavy_tailed),
      kernel_(density.kernel),
      features_(options.features),
      coordinates_(density.kernel, metric, x) {
  require_possible(density, options);
  frequencies_ = drawn<Scalar>(density, options, coordinates_.latent_dimension(), stream);
}

/// W p of some points, rows x frequencies. The points of kernels of a dot product come scaled to length 1, which is
/// undone here; those of radial kernels in another unit.
template <class Scalar>
Matrix<Scalar> RandomFeatures<Scalar>::phases(const PreparedPoints<Scalar>& points, Index begin, Index rows) const {
  Matrix<Scalar> result(rows, frequencies_.rows());
  if (frequencies_.cols() == 0) return result.setZero();  // M = 0
  result.noalias() = points.points.middleRows(begin, rows) * frequencies_.transpose();
  if (points.unit != 1) result *= static_cast<Scalar>(points.unit);
  if (function_ == FeatureFunction::relu) result = points.norms.segment(begin, rows).asDiagonal() * result;
  return result;
}

template <class Scalar>
Matrix<Scalar> RandomFeatures<Scalar>::map(const MatrixView<Scalar>& x) const {
  const PreparedPoints<Scalar> points = coordinates_.prepare(x);
  const auto scale = static_cast<Scalar>(std::sqrt(2 / static_cast<double>(features_)));
  const Index m = frequencies_.rows();
  Matrix<Scalar> result(x.rows(), features_);
  parallel_tiles(x.rows(), kMappedRows, [&](Index begin, Index end) {
    const Index rows = end - begin;
    const Matrix<Scalar> wp = phases(points, begin, rows);
    if (function_ == FeatureFunction::relu) {
      result.middleRows(begin, rows) = scale * wp.cwiseMax(Scalar(0));
      return;
    }
    result.block(begin, 0, rows, m) = scale * wp.array().cos();
    result.block(begin, m, rows, m) = scale * wp.array().sin();
  });
  return result;
}

template <class Scalar>
Matrix<Scalar> RandomFeatures<Scalar>::gradients(const PreparedPoints<Scalar>& points,
                                                 const Matrix<Scalar>& weights) const {
  if (weights.rows() != features_)
    throw DataError(fmt::format("random features: {} rows of weights for {} features", weights.rows(), features_));
  const auto scale = static_cast<Scalar>(std::sqrt(2 / static_cast<double>(features_)));
  const Index b = points.size(), c = weights.cols(), m = frequencies_.rows();
  Matrix<Scalar> result(c * b, frequencies_.cols());
  parallel_tiles(b, kMappedRows, [&](Index begin, Index end) {
    const Index rows = end - begin;
    const Matrix<Scalar> wp = phases(points, begin, rows);
    const bool relu = function_ == FeatureFunction::relu;
    const Matrix<Scalar> first = relu ? Matrix<Scalar>(scale * (wp.array() > Scalar(0)).template cast<Scalar>())
                                      : Matrix<Scalar>(-scale * wp.array().sin());
    const Matrix<Scalar> second = relu ? Matrix<Scalar>() : Matrix<Scalar>(scale * wp.array().cos());
    for (Index output = 0; output < c; ++output) {
      Matrix<Scalar> slope = first * weights.col(output).head(m).asDiagonal();
      if (!relu) slope += second * weights.col(output).tail(m).asDiagonal();
      result.middleRows(output * b + begin, rows).noalias() = slope * frequencies_;
    }
  });
  return result;
}

template class RandomFeatures<float>;
template class RandomFeatures<double>;

}  // namespace ansatz::rfm
