#include "core/features/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/base/epsilon.h"
#include "core/base/error.h"

namespace ansatz {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
constexpr double kDegrees = 57.295779513082320877;

// Sums over a set of entries of two matrices: all that Pearson r and the cosine need.
struct PairSums {
  double count, sum_a, sum_b, squares_a, squares_b, product;
};

// The sums over the entries of `whole` that are not among those of `part`.
PairSums without(const PairSums& whole, const PairSums& part) {
  return {whole.count - part.count,         whole.sum_a - part.sum_a,         whole.sum_b - part.sum_b,
          whole.squares_a - part.squares_a, whole.squares_b - part.squares_b, whole.product - part.product};
}

double clipped(double r) { return std::clamp(r, -1.0, 1.0); }

// A sum of squares below `floor` counts as 0: it is nothing but rounding.
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

// Entries up to about 2^e in size, or down to 2^-e, are safe: squares, products of two matrices and sums of many of
// them stay far from the ends of Scalar's range.
template <class Scalar>
constexpr int kSafeExponent = sizeof(Scalar) == 4 ? 30 : 200;

// The exponent e for which 2^e is about the size of the largest entry; 0 if no scaling is needed.
template <class Entries>
int scale_of(const Entries& entries) {
  const double largest = entries.size() == 0 ? 0 : static_cast<double>(entries.cwiseAbs().maxCoeff());
  const int exponent = largest > 0 ? std::ilogb(largest) : 0;
  return std::abs(exponent) > kSafeExponent<typename Entries::Scalar> ? exponent : 0;
}

template <class Entries>
Entries divided(const Entries& entries, int exponent) {
  using Scalar = typename Entries::Scalar;
  return entries.unaryExpr([exponent](Scalar value) { return static_cast<Scalar>(std::ldexp(value, -exponent)); });
}

template <class Scalar>
struct UnitScale {
  FeatureMatrix<Scalar> matrix;
  int exponent;  // the matrix was 2^exponent times this
};

template <class Scalar>
UnitScale<Scalar> to_unit_scale(const FeatureMatrix<Scalar>& m) {
  using Form = typename FeatureMatrix<Scalar>::Form;
  if (m.empty()) return {m, 0};
  if (m.form() == Form::diagonal) {
    const int e = scale_of(m.diagonal_part());
    return {e == 0 ? m : FeatureMatrix<Scalar>::diagonal_form(divided(m.diagonal_part(), e)), e};
  }
  if (m.form() == Form::dense) {
    const int e = scale_of(m.dense_part());
    return {e == 0 ? m : FeatureMatrix<Scalar>::dense(divided(m.dense_part(), e)), e};
  }
  const int f = scale_of(m.factor()), c = m.core_is_identity() ? 0 : scale_of(m.core());
  if (f == 0 && c == 0) return {m, 0};
  auto factor = std::make_shared<const Matrix<Scalar>>(divided(m.factor(), f));
  if (m.core_is_identity()) return {FeatureMatrix<Scalar>::sandwich(std::move(factor)), 2 * f};
  return {FeatureMatrix<Scalar>::sandwich(std::move(factor), divided(m.core(), c)), 2 * f + c};
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
Index rank_within(const MatrixSummary<Scalar>& m, Index k) {
  const Vector<Scalar>& values = m.unit_eigenvalues();
  const double floor = std::max(0.0, 32 * m.entry_rounding() * static_cast<double>(values[0]));
  const auto counts = [&](Index i) { return static_cast<double>(values[i]) > floor; };
  Index rank = 0;
  while (rank < k && counts(rank)) ++rank;
  return rank;
}

template <class Scalar>
void compare_eigenspaces(const MatrixSummary<Scalar>& a, const MatrixSummary<Scalar>& b, Index k, Index needed,
                         FeatureComparison& result) {
  const EigenPairs<Scalar> of_a = a.top().first(needed), of_b = b.top().first(needed);
  result.eigenvalues_a = to_doubles(of_a.values);
  result.eigenvalues_b = to_doubles(of_b.values);
  result.relative_gaps_a = relative_gaps(to_doubles<Scalar>(a.unit_eigenvalues().head(needed)), k);
  result.relative_gaps_b = relative_gaps(to_doubles<Scalar>(b.unit_eigenvalues().head(needed)), k);
  const Index rank = std::min(rank_within(a, k), rank_within(b, k));
  const Matrix<double> vectors_a = of_a.vectors.topRows(rank).template cast<double>();
  const Matrix<double> vectors_b = of_b.vectors.topRows(rank).template cast<double>();
  for (Index i = 0; i < rank; ++i)
    result.top_eigenvector_pearson.push_back(
        std::abs(pearson(vectors_a.row(i), vectors_b.row(i), 4 * epsilon<Scalar>())));
  result.principal_angles_deg = principal_angles_deg(vectors_a, vectors_b);
  const Index subspaces = std::min(k, kSubspaces);
  for (Index i = 1; i <= std::min(rank, subspaces); ++i)
    result.subspace_angles_deg.push_back(principal_angles_deg(vectors_a.topRows(i), vectors_b.topRows(i)).back());
  result.subspace_angles_deg.resize(static_cast<std::size_t>(subspaces), kUndefined);
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
    throw ConfigError(fmt::format("`top_eigenvectors` must be at least 0, is {}", options.top_eigenvectors));
}

}  // namespace

template <class Scalar>
MatrixSummary<Scalar>::MatrixSummary(const FeatureMatrix<Scalar>& m, Index eigenpairs, double entry_rounding)
    : entry_rounding_(entry_rounding) {
  const UnitScale<Scalar> scaled = to_unit_scale(m);
  unit_ = cheapest_form(scaled.matrix);
  matrix_ = scaled.exponent == 0 ? unit_ : m;
  top_ = unit_.top_eigenpairs(eigenpairs);
  unit_eigenvalues_ = top_.values;
  top_.values = divided(unit_eigenvalues_, -scaled.exponent);
  unit_diagonal_ = unit_.diagonal_in_double();
  diagonal_ = divided(unit_diagonal_, -scaled.exponent);
  sum_ = unit_.sum();
  squared_norm_ = unit_.inner_product(unit_);
  // Sums over stored entries are accurate to double; those of a sandwich come from products in Scalar.
  const bool stored = unit_.form() != FeatureMatrix<Scalar>::Form::sandwich;
  rounding_ = stored ? 1e-13 : 64 * epsilon<Scalar>();
}

Index leading_dimension(const FeatureComparison& comparison) {
  const std::vector<double>&a = comparison.relative_gaps_a, &b = comparison.relative_gaps_b;
  const std::vector<double>& angles = comparison.subspace_angles_deg;
  const auto most = static_cast<std::size_t>(
      std::find_if(angles.begin(), angles.end(), [](double angle) { return std::isnan(angle); }) - angles.begin());
  for (std::size_t i = 0; i < std::min({most, a.size(), b.size()}); ++i)
    if (a[i] >= kClearGap && b[i] >= kClearGap) return static_cast<Index>(i) + 1;
  return std::max<Index>(1, static_cast<Index>(most));
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
  const double product = a.at_unit_scale().inner_product(b.at_unit_scale());
  const Vector<double>&m = a.unit_diagonal(), &n = b.unit_diagonal();
  const PairSums whole{d * d, a.unit_sum(), b.unit_sum(), a.unit_squared_norm(), b.unit_squared_norm(), product};
  const PairSums diagonal{d, m.sum(), n.sum(), m.squaredNorm(), n.squaredNorm(), m.dot(n)};
  const PairSums off_diagonal = without(whole, diagonal);
  const double floor_a = a.rounding() * a.unit_squared_norm(), floor_b = b.rounding() * b.unit_squared_norm();
  EntrySimilarity result;
  result.diagonal_pearson = pearson(m, n, 4 * std::max(a.entry_rounding(), b.entry_rounding()));
  result.diagonal_cosine = ansatz::cosine(m, n);
  result.matrix_pearson = pearson_of(whole, floor_a, floor_b);
  result.cosine = cosine_of(whole, 0, 0);
  result.off_diagonal_pearson = pearson_of(off_diagonal, floor_a, floor_b);
  result.off_diagonal_cosine = cosine_of(off_diagonal, floor_a, floor_b);
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
  if (d > 0) compare_eigenspaces(a, b, k, needed, result);
  return result;
}

template <class Scalar>
FeatureComparison compare(const FeatureMatrix<Scalar>& a, const FeatureMatrix<Scalar>& b,
                          const ComparisonOptions& options) {
  require_comparable(a, b, options);
  const Index eigenpairs = options.top_eigenvectors + 1;
  return compare(MatrixSummary<Scalar>(a, eigenpairs), MatrixSummary<Scalar>(b, eigenpairs), options);
}

template <class Scalar>
double share_in_subspace(const FeatureMatrix<Scalar>& m, const Matrix<Scalar>& u) {
  if (u.cols() != m.dimension())
    throw DataError("a subspace of " + std::to_string(u.cols()) + " dimensions and a feature matrix of " +
                    std::to_string(m.dimension()));
  const double inside = m.apply(u).template cast<double>().cwiseProduct(u.template cast<double>()).sum();
  return inside / static_cast<double>(m.trace());
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                       \
  template class MatrixSummary<Scalar>;                                                                  \
  template EntrySimilarity entry_similarity(const MatrixSummary<Scalar>&, const MatrixSummary<Scalar>&); \
  template FeatureComparison compare(const MatrixSummary<Scalar>&, const MatrixSummary<Scalar>&,         \
                                     const ComparisonOptions&);                                          \
  template FeatureComparison compare(const FeatureMatrix<Scalar>&, const FeatureMatrix<Scalar>&,         \
                                     const ComparisonOptions&);                                          \
  template double share_in_subspace(const FeatureMatrix<Scalar>&, const Matrix<Scalar>&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz
