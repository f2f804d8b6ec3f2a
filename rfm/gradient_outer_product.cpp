#include "rfm/gradient_outer_product.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "core/error.h"
#include "core/parallel.h"
#include "rfm/pair_matrices.h"

namespace ansatz::rfm {
namespace {

constexpr Index kRowTile = 64;

/// Sum over points and outputs of g g^T (or its diagonal) for gradients that come in tiles, and the exact centring of
/// it: each output's gradients are taken relative to the mean over its first tile, so that the final correction is
/// small.
template <class Scalar>
class OuterProductSum {
 public:
  OuterProductSum(const MetricCoordinates<Scalar>& coordinates, Index outputs, const GradientOptions& options)
      : coordinates_(coordinates), center_(options.center), diagonal_(options.diagonal) {
    const Index width = diagonal_ ? coordinates.dimension() : coordinates.latent_dimension();
    if (diagonal_)
      squares_ = Eigen::VectorXd::Zero(width);
    else
      sum_ = Matrix<Scalar>::Zero(width, width);
    if (!center_) return;
    shift_.resize(outputs, width);
    excess_ = Eigen::MatrixXd::Zero(outputs, width);
  }

  /// g: tile x q, overwritten.
  void add(Index output, bool first_tile, Matrix<Scalar>& g) {
    if (g.cols() == 0) return;  // M = 0
    if (diagonal_) g = coordinates_.lift(g);
    if (center_) {
      if (first_tile) shift_.row(output) = (column_sums(g) / static_cast<double>(g.rows())).template cast<Scalar>();
      g.rowwise() -= shift_.row(output);
      excess_.row(output) += column_sums(g);
    }
    if (diagonal_)
      squares_ += column_sums(Matrix<Scalar>(g.array().square())).transpose();
    else
      sum_.template selfadjointView<Eigen::Upper>().rankUpdate(g.transpose());
  }

  FeatureMatrix<Scalar> finish(Index points) {
    const double m = static_cast<double>(points);
    if (diagonal_) {
      Eigen::VectorXd result = squares_ / m;
      if (center_) result -= (excess_ / m).array().square().colwise().sum().matrix().transpose();
      return FeatureMatrix<Scalar>::diagonal_form(result.cwiseMax(0.0).template cast<Scalar>());
    }
    sum_ *= static_cast<Scalar>(1 / m);
    if (center_ && sum_.size() > 0) {
      const Matrix<Scalar> means = (excess_ / m).template cast<Scalar>();
      sum_.template selfadjointView<Eigen::Upper>().rankUpdate(means.transpose(), Scalar(-1));
    }
    sum_.template triangularView<Eigen::StrictlyLower>() = sum_.transpose();
    return coordinates_.lift_outer_product(sum_);
  }

 private:
  static Eigen::RowVectorXd column_sums(const Matrix<Scalar>& g) {
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(g.cols());
    for (Index i = 0; i < g.rows(); ++i) sum += g.row(i).template cast<double>();
    return sum;
  }

  const MetricCoordinates<Scalar>& coordinates_;
  bool center_, diagonal_;
  Matrix<Scalar> sum_;       // q x q, upper triangle
  Eigen::VectorXd squares_;  // d
  Matrix<Scalar> shift_;     // c x q (diagonal: d)
  Eigen::MatrixXd excess_;   // c x q: sums of the shifted gradients
};

/// Rows of A held at once: all where that takes no more than K itself did, else about 256 MB of them.
template <class Scalar>
Index tile_rows(Index points, Index n) {
  if (points == n) return n;
  const Index bytes = Index(256) << 20;
  return std::min(points, std::max<Index>(256, bytes / (static_cast<Index>(sizeof(Scalar)) * n)));
}

/// diag(coefficients) * points.
template <class Scalar>
void scale_rows(const Matrix<Scalar>& points, const Matrix<Scalar>& coefficients, Index output,
                Matrix<Scalar>& result) {
  result.resize(points.rows(), points.cols());
  parallel_tiles(points.rows(), kRowTile, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) result.row(i) = coefficients(i, output) * points.row(i);
  });
}

template <class Scalar>
void require_room(const KernelMachine<Scalar>& machine, const MetricCoordinates<Scalar>& coordinates, bool diagonal) {
  if (diagonal || coordinates.latent_dimension() <= kDenseLimit) return;
  const double gigabytes = static_cast<double>(sizeof(Scalar)) * static_cast<double>(machine.input_dimension()) *
                           static_cast<double>(machine.input_dimension()) / 1e9;
  char size[32];
  std::snprintf(size, sizeof size, "%.1f", gigabytes);
  throw MemoryError("a full feature matrix of " + std::to_string(machine.input_dimension()) + " inputs would take " +
                    size + " GB (limit: " + std::to_string(kDenseLimit) +
                    " inputs); use feature_matrix: diagonal, or fewer pixels or columns");
}

}  // namespace

template <class Scalar>
GradientOuterProduct<Scalar> gradient_outer_product(const KernelMachine<Scalar>& machine,
                                                    const GradientOptions& options, const RandomStream& stream) {
  const auto start = std::chrono::steady_clock::now();
  if (options.samples < 0) throw ConfigError("gradient_samples must be at least 1 or all");
  const auto prepared = machine.prepared();
  const PreparedPoints<Scalar>& centers = prepared->points;
  require_room(machine, prepared->coordinates, options.diagonal);
  const Index n = centers.size(), c = machine.output_dimension(), q = centers.points.cols();
  const Index m = options.samples == 0 ? n : std::min(options.samples, n);
  const std::vector<Index> chosen = RandomStream(stream).sample(n, m);
  const Matrix<Scalar> coefficients = gradient_coefficients(machine.kernel(), centers, machine.alpha());

  OuterProductSum<Scalar> sum(prepared->coordinates, c, options);
  const Index tile = tile_rows<Scalar>(m, n);
  Matrix<Scalar> scaled, gradients;
  for (Index begin = 0; begin < m; begin += tile) {
    const std::vector<Index> rows(chosen.begin() + begin, chosen.begin() + std::min(m, begin + tile));
    std::optional<PreparedPoints<Scalar>> selected;
    if (m < n) selected = centers.rows(rows);
    const PreparedPoints<Scalar>& points = selected ? *selected : centers;
    const GradientWeights<Scalar> w = selected ? gradient_weights(machine.kernel(), points, centers, rows, coefficients)
                                               : gradient_weights(machine.kernel(), centers, coefficients);
    for (Index output = 0; output < c; ++output) {
      scale_rows(points.points, w.s, output, gradients);
      scale_rows(centers.points, coefficients, output, scaled);
      gradients.noalias() += w.a * scaled;
      sum.add(output, begin == 0, gradients);
    }
  }

  GradientOuterProduct<Scalar> result;
  result.matrix = sum.finish(m);
  const double pairs = static_cast<double>(m) * static_cast<double>(n), width = static_cast<double>(q);
  const double outputs = static_cast<double>(c), update = options.diagonal ? 2 * width : width * width;
  result.summary.form = "direct";
  result.summary.points = m;
  result.summary.flops =
      pairs * width * (m == n ? 1 : 2) + outputs * (2 * pairs * width + static_cast<double>(m) * update);
  result.summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

template GradientOuterProduct<float> gradient_outer_product(const KernelMachine<float>&, const GradientOptions&,
                                                            const RandomStream&);
template GradientOuterProduct<double> gradient_outer_product(const KernelMachine<double>&, const GradientOptions&,
                                                             const RandomStream&);

}  // namespace ansatz::rfm
