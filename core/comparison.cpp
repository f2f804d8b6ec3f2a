#include "core/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/epsilon.h"
#include "core/error.h"

namespace ansatz {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
constexpr double kDegrees = 57.295779513082320877;

// Sums over a set of entries of two matrices: all that Pearson r and the cosine need.
struct PairSums {
  double count, sum_a, sum_b, squares_a, squares_b, product;
};

double clipped(double r) { return std::clamp(r, -1.0, 1.0); }

// A sum of squares that is below `floor` is what rounding left of 0.
double cosine_of(const PairSums& s, double floor_a, double floor_b) {
  if (!(s.squares_a > floor_a) || !(s.squares_b > floor_b)) return kUndefined;
  return clipped(s.product / std::sqrt(s.squares_a * s.squares_b));
}

double pearson_of(const PairSums& s, double floor_a, double floor_b) {
  if (s.count < 2) return kUndefined;
  const double variation_a = s.squares_a - s.sum_a * s.sum_a / s.count;
  const double variation_b = s.squares_b - s.sum_b * s.sum_b / s.count;
  if (!(variation_a > floor_a) || !(variation_b > floor_b)) return kUndefined;
  return clipped((s.product - s.sum_a * s.sum_b / s.count) / std::sqrt(variation_a * variation_b));
}

double cosine(const Vector<double>& a, const Vector<double>& b) {
  const double lengths = a.norm() * b.norm();
  return lengths > 0 ? clipped(a.dot(b) / lengths) : kUndefined;
}

template <class Scalar>
FeatureMatrix<Scalar> cheapest_form(const FeatureMatrix<Scalar>& m) {
  const bool tall = m.form() == FeatureMatrix<Scalar>::Form::sandwich && m.factor().rows() > m.dimension();
  return tall && m.dimension() <= kDenseLimit ? FeatureMatrix<Scalar>::dense(m.to_dense()) : m;
}

std::vector<double> relative_gaps(const std::vector<double>& values, Index k) {
  std::vector<double> gaps;
  for (Index i = 0; i < k; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double next = at + 1 < values.size() ? values[at + 1] : 0;
    gaps.push_back(values[0] > 0 ? (values[at] - next) / values[0] : kUndefined);
  }
  return gaps;
}

template <class Scalar>
std::vector<double> to_doubles(const Vector<Scalar>& values) {
  return {values.data(), values.data() + values.size()};
}

// How many of the first k eigenvalues are above rounding.
template <class Scalar>
Index rank_within(const EigenPairs<Scalar>& pairs, Index k) {
  const double floor = 32 * epsilon<Scalar>() * static_cast<double>(pairs.values[0]);
  Index rank = 0;
  while (rank<k&& static_cast<double>(pairs.values[rank])> std::max(floor, 0.0)) ++rank;
  return rank;
}

template <class Scalar>
void compare_eigenspaces(const EigenPairs<Scalar>& of_a, const EigenPairs<Scalar>& of_b, Index k,
                         FeatureComparison& result) {
  result.eigenvalues_a = to_doubles(of_a.values);
  result.eigenvalues_b = to_doubles(of_b.values);
  result.relative_gaps_a = relative_gaps(result.eigenvalues_a, k);
  result.relative_gaps_b = relative_gaps(result.eigenvalues_b, k);
  const Index rank = std::min(rank_within(of_a, k), rank_within(of_b, k));
  const Matrix<double> vectors_a = of_a.vectors.topRows(rank).template cast<double>();
  const Matrix<double> vectors_b = of_b.vectors.topRows(rank).template cast<double>();
  for (Index i = 0; i < rank; ++i)
    result.top_eigenvector_pearson.push_back(
        std::abs(pearson(vectors_a.row(i), vectors_b.row(i), 4 * epsilon<Scalar>())));
  result.principal_angles_deg = principal_angles_deg(vectors_a, vectors_b);
  result.top_eigenvector_pearson.resize(static_cast<std::size_t>(k), kUndefined);
  result.principal_angles_deg.resize(static_cast<std::size_t>(k), kUndefined);
}

template <class Scalar>
void require_comparable(const FeatureMatrix<Scalar>& a, const FeatureMatrix<Scalar>& b,
                        const ComparisonOptions& options) {
  if (a.dimension() != b.dimension())
    throw DataError(fmt::format("cannot compare feature matrices of different input dimensions ({} and {})",
                                a.dimension(), b.dimension()));
  if (options.top_eigenvectors < 0)
    throw ConfigError(fmt::format("comparison.top_eigenvectors must be at least 0, is {}", options.top_eigenvectors));
}

}  // namespace

template <class Scalar>
MatrixSummary<Scalar>::MatrixSummary(const FeatureMatrix<Scalar>& m, Index eigenpairs) : matrix_(cheapest_form(m)) {
  top_ = matrix_.top_eigenpairs(eigenpairs);
  diagonal_ = matrix_.diagonal_in_double();
  sum_ = matrix_.sum();
  squared_norm_ = matrix_.inner_product(matrix_);
  // Sums over stored entries are exact to double; a sandwich's go through products in Scalar.
  const bool stored = matrix_.form() != FeatureMatrix<Scalar>::Form::sandwich;
  rounding_ = stored ? 1e-13 : 64 * epsilon<Scalar>();
}

double pearson(const Vector<double>& a, const Vector<double>& b, double rounding) {
  if (a.size() < 2) return kUndefined;
  const Vector<double> from_mean_a = a.array() - a.mean(), from_mean_b = b.array() - b.mean();
  const double length_a = from_mean_a.norm(), length_b = from_mean_b.norm();
  if (!(length_a > rounding * a.norm()) || !(length_b > rounding * b.norm())) return kUndefined;
  return clipped(from_mean_a.dot(from_mean_b) / (length_a * length_b));
}

std::vector<double> principal_angles_deg(const Matrix<double>& a, const Matrix<double>& b) {
  const Index k = a.rows();
  if (k == 0) return {};
  Matrix<double> q_a = a, q_b = b;
  orthonormalize_rows(q_a);
  orthonormalize_rows(q_b);
  const Matrix<double> overlap = q_b * q_a.transpose();
  const Matrix<double> outside = q_b - overlap * q_a;
  const Vector<double> cosines = singular_values(overlap), sines = singular_values(outside);
  std::vector<double> angles;
  for (Index i = 0; i < k; ++i) {
    const double cosine = std::clamp(cosines[i], 0.0, 1.0), sine = std::clamp(sines[k - 1 - i], 0.0, 1.0);
    angles.push_back(kDegrees * (cosine * cosine > 0.5 ? std::asin(sine) : std::acos(cosine)));
  }
  std::sort(angles.begin(), angles.end());
  return angles;
}

template <class Scalar>
EntrySimilarity entry_similarity(const MatrixSummary<Scalar>& a, const MatrixSummary<Scalar>& b) {
  const auto d = static_cast<double>(a.diagonal().size());
  const double product = a.matrix().inner_product(b.matrix());
  const Vector<double>&m = a.diagonal(), &n = b.diagonal();
  const PairSums all{d * d, a.sum(), b.sum(), a.squared_norm(), b.squared_norm(), product};
  const PairSums off{d * d - d,
                     a.sum() - m.sum(),
                     b.sum() - n.sum(),
                     a.squared_norm() - m.squaredNorm(),
                     b.squared_norm() - n.squaredNorm(),
                     product - m.dot(n)};
  const double floor_a = a.rounding() * a.squared_norm(), floor_b = b.rounding() * b.squared_norm();
  EntrySimilarity result;
  result.diagonal_pearson = pearson(m, n, 4 * epsilon<Scalar>());
  result.diagonal_cosine = ansatz::cosine(m, n);
  result.matrix_pearson = pearson_of(all, floor_a, floor_b);
  result.cosine = cosine_of(all, 0, 0);
  result.off_diagonal_pearson = pearson_of(off, floor_a, floor_b);
  result.off_diagonal_cosine = cosine_of(off, floor_a, floor_b);
  return result;
}

template <class Scalar>
FeatureComparison compare(const MatrixSummary<Scalar>& a, const MatrixSummary<Scalar>& b,
                          const ComparisonOptions& options) {
  require_comparable(a.matrix(), b.matrix(), options);
  const Index d = a.matrix().dimension(), k = std::min(options.top_eigenvectors, d), needed = std::min(k + 1, d);
  if (a.top().values.size() < needed || b.top().values.size() < needed)
    throw std::invalid_argument("compare: the summaries hold too few eigenpairs");
  FeatureComparison result;
  static_cast<EntrySimilarity&>(result) = entry_similarity(a, b);
  if (d > 0) compare_eigenspaces(a.top().first(needed), b.top().first(needed), k, result);
  return result;
}

template <class Scalar>
FeatureComparison compare(const FeatureMatrix<Scalar>& a, const FeatureMatrix<Scalar>& b,
                          const ComparisonOptions& options) {
  require_comparable(a, b, options);
  const Index eigenpairs = options.top_eigenvectors + 1;
  return compare(MatrixSummary<Scalar>(a, eigenpairs), MatrixSummary<Scalar>(b, eigenpairs), options);
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                       \
  template class MatrixSummary<Scalar>;                                                                  \
  template EntrySimilarity entry_similarity(const MatrixSummary<Scalar>&, const MatrixSummary<Scalar>&); \
  template FeatureComparison compare(const MatrixSummary<Scalar>&, const MatrixSummary<Scalar>&,         \
                                     const ComparisonOptions&);                                          \
  template FeatureComparison compare(const FeatureMatrix<Scalar>&, const FeatureMatrix<Scalar>&,         \
                                     const ComparisonOptions&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz
