#include "rfm/gradient_outer_product.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "core/base/error.h"
#include "core/machine/parallel.h"
#include "rfm/gradients/gradient_form.h"
#include "rfm/gradients/gradient_sample_matrix.h"
#include "rfm/gradients/outer_product_sum.h"
#include "rfm/gradients/p_norm_gradients.h"
#include "rfm/pairs/range.h"

namespace ansatz::rfm {
namespace {

constexpr Index kGradientRows = 64;

/// Where |mean|^2 of the centres is more than this many times their mean squared distance from it, a sandwich over the
/// centres as they are (not less their mean) would lose too many digits.
constexpr double kFarOrigin = 16;

/// How many rows of A to hold at once: all if every centre is a point (A is then as large as K was), else some 256 MB.
template <class Scalar>
Index tile_rows(Index points, Index n) {
  if (points == n) return n;
  const Index bytes = Index(256) << 20;
  return std::min(points, std::max<Index>(256, bytes / (static_cast<Index>(sizeof(Scalar)) * n)));
}

/// [diag(column j of coefficients) * points] of `count` outputs j from `first` on, side by side.
template <class Scalar>
void scale_rows(const Matrix<Scalar>& points, const Matrix<Scalar>& coefficients, Index first, Index count,
                Matrix<Scalar>& result) {
  const Index width = points.cols();
  result.resize(points.rows(), count * width);
  parallel_tiles(points.rows(), kGradientRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      for (Index j = 0; j < count; ++j)
        result.row(i).segment(j * width, width) = coefficients(i, first + j) * points.row(i);
  });
}

template <class Scalar>
void require_room(Index width, Index dimension) {
  if (width <= kDenseLimit) return;
  const double d = static_cast<double>(dimension);
  throw MemoryError(
      fmt::format("a full feature matrix of {} inputs would take {:.1f} GB (limit: {} inputs); use "
                  "feature_matrix: diagonal, or fewer pixels or columns",
                  dimension, static_cast<double>(sizeof(Scalar)) * d * d / 1e9, kDenseLimit));
}

void require_covering(const GradientOptions& options, Index dimension) {
  Index columns = 0;
  for (const ColumnGroup& group : options.blocks) columns += group.first == columns ? group.width : dimension + 1;
  if (!options.blocks.empty() && columns != dimension)
    throw DataError(fmt::format("feature matrix: the blocks of columns do not add up to the {} inputs", dimension));
}

/// What every form starts from.
template <class Scalar>
struct Gradients {
  const Kernel& kernel;
  const MetricCoordinates<Scalar>& coordinates;
  const PreparedPoints<Scalar>& centers;
  Matrix<Scalar> coefficients;  // n x c
  std::vector<Index> points;    // m rows of the centres; empty: all

  Index size() const { return points.empty() ? centers.size() : static_cast<Index>(points.size()); }

  /// A and s for points [begin, end). Unless all centres are points, `selected` receives these points.
  GradientWeights<Scalar> weights(Index begin, Index end, std::optional<PreparedPoints<Scalar>>& selected) const {
    if (points.empty()) return gradient_weights(kernel, centers, coefficients);
    const std::vector<Index> rows(points.begin() + begin, points.begin() + end);
    selected = centers.rows(rows);
    return gradient_weights(kernel, *selected, centers, rows, coefficients);
  }
};

template <class Scalar>
FeatureMatrix<Scalar> direct_form(const Gradients<Scalar>& g, const GradientOptions& options) {
  const Index m = g.size(), outputs = g.coefficients.cols(), tile = tile_rows<Scalar>(m, g.centers.size());
  OuterProductSum<Scalar> sum(g.coordinates, outputs, options);
  const Index width = g.centers.points.cols(), together = outputs_together(outputs, width);
  Matrix<Scalar> scaled, products, gradients;
  for (Index begin = 0; begin < m; begin += tile) {
    std::optional<PreparedPoints<Scalar>> selected;
    const GradientWeights<Scalar> w = g.weights(begin, std::min(m, begin + tile), selected);
    const PreparedPoints<Scalar>& points = selected ? *selected : g.centers;
    for (Index first = 0; first < outputs; first += together) {
      const Index count = std::min(together, outputs - first);
      scale_rows(points.points, w.s, first, count, products);
      scale_rows(g.centers.points, g.coefficients, first, count, scaled);
      products.noalias() += w.a * scaled;
      for (Index j = 0; j < count; ++j) {
        gradients = products.middleCols(j * width, width);
        sum.add(first + j, begin == 0, gradients);
      }
    }
  }
  return sum.finish(m);
}

/// The direct form for kernels of a p-norm, whose gradients come from p_norm_gradients(), some points at a time.
template <class Scalar>
FeatureMatrix<Scalar> p_norm_form(const Gradients<Scalar>& g, const GradientOptions& options) {
  const Index m = g.size(), n = g.centers.size(), outputs = g.coefficients.cols();
  const Index tile = p_norm_gradient_rows(n, g.centers.points.cols(), outputs, sizeof(Scalar));
  OuterProductSum<Scalar> sum(g.coordinates, outputs, options);
  for (Index begin = 0; begin < m; begin += tile) {
    std::vector<Index> rows;
    for (Index i = begin; i < std::min(m, begin + tile); ++i)
      rows.push_back(g.points.empty() ? i : g.points[static_cast<std::size_t>(i)]);
    const Index count = static_cast<Index>(rows.size());
    const Matrix<Scalar> stacked = p_norm_gradients(g.kernel, g.centers.rows(rows), g.centers, g.coefficients);
    for (Index output = 0; output < outputs; ++output) {
      Matrix<Scalar> gradients = stacked.middleRows(output * count, count);
      sum.add(output, begin == 0, gradients);
    }
  }
  return sum.finish(m);
}

/// S / m, where S is gradient_sample_matrix().
template <class Scalar>
Matrix<Scalar> mean_sample_matrix(const Gradients<Scalar>& g, bool center) {
  std::optional<PreparedPoints<Scalar>> selected;
  const GradientWeights<Scalar> w = g.weights(0, g.size(), selected);
  Matrix<Scalar> s = gradient_sample_matrix(w, g.coefficients, g.points, center);
  s *= static_cast<Scalar>(1.0 / static_cast<double>(g.size()));
  return s;
}

template <class Scalar>
FeatureMatrix<Scalar> gram_form(const Gradients<Scalar>& g, const GradientOptions& options) {
  const Matrix<Scalar> s = mean_sample_matrix(g, options.center);
  const Matrix<Scalar>& p = g.centers.points;
  if (!is_restricted(options)) return g.coordinates.lift_outer_product(symmetric_product<Scalar>(p, s * p));
  const Matrix<Scalar> lifted = g.coordinates.lift(p), weighted = s * lifted;
  Eigen::RowVectorXd sums = Eigen::RowVectorXd::Zero(lifted.cols());
  for (Index i = 0; i < lifted.rows(); ++i) sums += lifted.row(i).cwiseProduct(weighted.row(i)).template cast<double>();
  const std::vector<ColumnGroup> blocks = blocks_of(options);
  std::vector<Matrix<Scalar>> values;
  for (const ColumnGroup& block : blocks) {
    const Matrix<Scalar> left = lifted.middleCols(block.first, block.width);
    const Matrix<Scalar> right = weighted.middleCols(block.first, block.width);
    values.push_back(symmetric_product<Scalar>(left, right));
  }
  return restricted(Eigen::VectorXd(sums.transpose()), blocks, values);
}

/// Subtracts the mean of every row and column of S. For radial kernels these means are 0 but for rounding; without them
/// P^T S P does not depend on the origin of P.
template <class Scalar>
void take_means_off(Matrix<Scalar>& s) {
  const double n = static_cast<double>(s.rows());
  const Eigen::VectorXd means = s.template cast<double>().rowwise().mean();
  const Vector<Scalar> shift = (means.array() - means.sum() / (2 * n)).template cast<Scalar>();
  s.colwise() -= shift;
  s.rowwise() -= shift.transpose();
}

template <class Scalar>
FeatureMatrix<Scalar> sample_space_form(const Gradients<Scalar>& g, std::shared_ptr<const Matrix<Scalar>> centers,
                                        bool center) {
  Matrix<Scalar> s = mean_sample_matrix(g, center);
  const Vector<Scalar>& origin = g.coordinates.origin();
  const bool far = origin.size() > 0 && origin.squaredNorm() > static_cast<Scalar>(kFarOrigin) * g.centers.norms.mean();
  if (!g.coordinates.is_identity() || far || g.coordinates.unit() != 1)
    return FeatureMatrix<Scalar>::sandwich(std::make_shared<const Matrix<Scalar>>(g.coordinates.lift(g.centers.points)),
                                           std::move(s));
  if (g.kernel.radial()) {
    take_means_off(s);
  } else {  // P holds the centres scaled to unit length
    const auto inverse = (g.centers.norms.array() > Scalar(0)).select(g.centers.norms.array().inverse(), Scalar(0));
    s = (inverse.matrix().asDiagonal() * s * inverse.matrix().asDiagonal()).eval();
  }
  return FeatureMatrix<Scalar>::sandwich(std::move(centers), std::move(s));
}

}  // namespace

template <class Scalar>
GradientOuterProduct<Scalar> gradient_outer_product(const KernelMachine<Scalar>& machine,
                                                    const GradientOptions& options, const RandomStream& stream) {
  const auto start = std::chrono::steady_clock::now();
  if (options.samples < 0) throw ConfigError("gradient_samples must be at least 1 or all");
  const auto prepared = machine.prepared();
  const Index n = prepared->points.size(), m = options.samples == 0 ? n : std::min(options.samples, n);
  Gradients<Scalar> g{machine.kernel(),
                      prepared->coordinates,
                      prepared->points,
                      gradient_coefficients(machine.kernel(), prepared->points, machine.alpha()),
                      {}};
  const double size = static_cast<double>(g.coefficients.cwiseAbs().maxCoeff()), unit = range_unit<Scalar>(size);
  if (unit != 1) g.coefficients *= static_cast<Scalar>(1 / unit);
  if (m < n) g.points = RandomStream(stream).sample(n, m);
  require_covering(options, machine.input_dimension());
  const bool restricted = is_restricted(options);
  const Index width = prepared->points.points.cols();
  GradientProblem problem =
      gradient_problem(machine.kernel().spec(), options, restricted, n, width, machine.output_dimension());
  problem.low_rank_metric = prepared->coordinates.is_sandwich();
  const GradientCost chosen = choose_gradient_form(problem, options.form, sizeof(Scalar));

  GradientOuterProduct<Scalar> result;
  if (chosen.form == GradientForm::sample_space) {
    result.matrix = sample_space_form(g, machine.shared_centers(), options.center);
  } else {
    if (!blocks_of(options).empty()) require_room<Scalar>(machine.input_dimension(), machine.input_dimension());
    if (!restricted) require_room<Scalar>(prepared->coordinates.latent_dimension(), machine.input_dimension());
    if (machine.kernel().p_norm())
      result.matrix = p_norm_form(g, options);
    else
      result.matrix = chosen.form == GradientForm::gram ? gram_form(g, options) : direct_form(g, options);
  }
  result.unit = unit / prepared->coordinates.unit();
  result.summary.form = name_of(chosen.form);
  result.summary.points = m;
  result.summary.flops = chosen.flops;
  result.summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

template GradientOuterProduct<float> gradient_outer_product(const KernelMachine<float>&, const GradientOptions&,
                                                            const RandomStream&);
template GradientOuterProduct<double> gradient_outer_product(const KernelMachine<double>&, const GradientOptions&,
                                                             const RandomStream&);

}  // namespace ansatz::rfm
