// Eigenpairs and powers of feature matrices.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/base/epsilon.h"
#include "core/base/error.h"
#include "core/features/feature_matrix.h"
#include "core/linalg/lanczos.h"
#include "core/machine/parallel.h"

namespace ansatz {
namespace {

constexpr Index kSmall = 512;      // dense matrices up to here: all eigenpairs at once are as fast as the first few
constexpr Index kGramRows = 2048;  // r x r Gram matrices up to here: some seconds of LAPACK

// Eigenvalues below this share of the largest are rounding: they count as 0.
template <class Scalar>
double rank_tolerance() {
  return 32 * epsilon<Scalar>();
}

// f(l) for each eigenvalue l of a positive semi-definite matrix that is above rounding, 0 for the others. `whole`: the
// size of the matrix of which this one is a diagonal block.
template <class Scalar, class Function>
Vector<Scalar> map_spectrum(const Vector<Scalar>& values, const Function& f, double whole = 0) {
  const double largest = values.size() > 0 ? static_cast<double>(values.cwiseAbs().maxCoeff()) : 0;
  const double smallest = values.size() > 0 ? static_cast<double>(values.minCoeff()) : 0;
  if (smallest < -std::sqrt(epsilon<Scalar>()) * std::max(largest, whole))
    throw NumericalError(
        fmt::format("feature matrix: not positive semi-definite (eigenvalues from {:.4g} to {:.4g}); powers "
                    "need one that is, such as W^T W or an average gradient outer product",
                    smallest, static_cast<double>(values.maxCoeff())));
  return values.unaryExpr([&](Scalar value) {
    const auto l = static_cast<double>(value);
    return l > rank_tolerance<Scalar>() * largest ? static_cast<Scalar>(f(l)) : Scalar(0);
  });
}

// V^T f(L) V with V's rows the eigenvectors.
template <class Scalar, class Function>
Matrix<Scalar> spectral_function(const EigenPairs<Scalar>& pairs, const Function& f) {
  const Matrix<Scalar> weighted = map_spectrum(pairs.values, f).asDiagonal() * pairs.vectors;
  return symmetric_product<Scalar>(pairs.vectors, weighted);
}

// If the symmetric m is zero outside of diagonal blocks, where each block ends; just d for a full matrix.
template <class Scalar>
std::vector<Index> block_ends(const Matrix<Scalar>& m) {
  std::vector<Index> ends;
  Index reach = 0;  // the last column that the rows so far touch
  for (Index i = 0; i < m.rows(); ++i) {
    reach = std::max(reach, i);
    for (Index j = m.cols() - 1; j > reach; --j)
      if (m(i, j) != Scalar(0)) reach = j;
    if (reach == i) ends.push_back(i + 1);
  }
  return ends;
}

// f of a symmetric matrix, computed for each diagonal block, so that entries outside of the blocks stay exactly zero.
template <class Scalar, class Function>
Matrix<Scalar> spectral_function_by_blocks(const Matrix<Scalar>& m, const Function& f) {
  Matrix<Scalar> result = Matrix<Scalar>::Zero(m.rows(), m.cols());
  const double whole = static_cast<double>(m.cwiseAbs().maxCoeff());
  Index first = 0;
  for (const Index end : block_ends(m)) {
    const Index size = end - first;
    const EigenPairs<Scalar> pairs = symmetric_eigenpairs<Scalar>(m.block(first, first, size, size));
    const Matrix<Scalar> weighted = map_spectrum(pairs.values, f, whole).asDiagonal() * pairs.vectors;
    result.block(first, first, size, size) = symmetric_product<Scalar>(pairs.vectors, weighted);
    first = end;
  }
  return result;
}

template <class Scalar>
Matrix<Scalar> square_root_of_core(const FeatureMatrix<Scalar>& m) {
  return spectral_function(symmetric_eigenpairs(m.core()), [](double l) { return std::sqrt(l); });
}

// K = C^1/2 F F^T C^1/2 (r x r), given C^1/2 (empty for C = I): it shares its non-zero eigenvalues with M.
template <class Scalar>
Matrix<Scalar> gram_of_sandwich(const FeatureMatrix<Scalar>& m, const Matrix<Scalar>& root) {
  const Matrix<Scalar> gram = row_gram<Scalar>(m.factor());
  if (m.core_is_identity()) return gram;
  const Matrix<Scalar> right = gram * root;
  return symmetric_product<Scalar>(root, right);
}

template <class Scalar>
EigenPairs<Scalar> eigenpairs_of_diagonal(const Vector<Scalar>& m, Index k) {
  std::vector<Index> order(static_cast<std::size_t>(m.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) { return m[i] > m[j]; });
  EigenPairs<Scalar> pairs{Vector<Scalar>(k), Matrix<Scalar>::Zero(k, m.size())};
  for (Index i = 0; i < k; ++i) {
    const Index coordinate = order[static_cast<std::size_t>(i)];
    pairs.values[i] = m[coordinate];
    pairs.vectors(i, coordinate) = 1;
  }
  return pairs;
}

template <class Scalar>
Index rank_of(const Vector<Scalar>& values) {
  return (map_spectrum(values, [](double l) { return l; }).array() > Scalar(0)).count();
}

// The first k eigenpairs above rounding, or fewer: eigenvectors F^T C^1/2 u / |.| of M from those of K.
template <class Scalar>
EigenPairs<Scalar> range_through_gram(const FeatureMatrix<Scalar>& m, Index k) {
  const Matrix<Scalar> root = m.core_is_identity() ? Matrix<Scalar>() : square_root_of_core(m);
  const EigenPairs<Scalar> small = symmetric_eigenpairs(gram_of_sandwich(m, root));
  const Index rank = std::min(k, rank_of(small.values));
  Matrix<Scalar> left = small.vectors.topRows(rank);
  if (!m.core_is_identity()) left = (left * root).eval();
  Matrix<Scalar> vectors = left * m.factor();
  vectors.rowwise().normalize();
  return {small.values.head(rank), std::move(vectors)};
}

// The same, but always k of them: beyond the rank they are a completion with eigenvalue 0.
template <class Scalar>
EigenPairs<Scalar> eigenpairs_through_gram(const FeatureMatrix<Scalar>& m, Index k) {
  const EigenPairs<Scalar> range = range_through_gram(m, k);
  const Index rank = range.values.size();
  EigenPairs<Scalar> pairs{Vector<Scalar>::Zero(k), Matrix<Scalar>::Zero(k, m.dimension())};
  pairs.values.head(rank) = range.values;
  pairs.vectors.topRows(rank) = range.vectors;
  orthonormalize_rows(pairs.vectors);
  fix_signs(pairs.vectors);
  return pairs;
}

template <class Scalar>
std::optional<EigenPairs<Scalar>> eigenpairs_by_lanczos(const FeatureMatrix<Scalar>& m, Index k) {
  constexpr Index kWorthThreads = Index{1} << 20;  // entries that one product reads
  const bool sandwich = m.form() == FeatureMatrix<Scalar>::Form::sandwich;
  const Index entries = m.dimension() * (sandwich ? 2 * m.factor().rows() : m.dimension());
  const int count = entries > kWorthThreads ? threads() : 1;
  const auto apply = [&m, count](const Vector<double>& x) -> Vector<double> {
    const ThreadScope scope(count);
    const Matrix<Scalar> row = x.transpose().template cast<Scalar>();
    return m.apply(row).row(0).transpose().template cast<double>();
  };
  const double tolerance = std::max(4 * epsilon<Scalar>(), 1e-13);
  const auto pairs = lanczos_largest(apply, m.dimension(), k, tolerance);
  if (!pairs) return std::nullopt;
  return EigenPairs<Scalar>{pairs->values.template cast<Scalar>(), pairs->vectors.template cast<Scalar>()};
}

}  // namespace

template <class Scalar>
EigenPairs<Scalar> FeatureMatrix<Scalar>::top_eigenpairs(Index k) const {
  k = std::min(k, d_);
  if (k <= 0) return {Vector<Scalar>(0), Matrix<Scalar>(0, d_)};
  if (form_ == Form::diagonal) return eigenpairs_of_diagonal(*vector_, k);
  const bool wide = form_ == Form::sandwich && matrix_->rows() < d_;
  if (wide && matrix_->rows() <= kGramRows) return eigenpairs_through_gram(*this, k);
  const bool all_at_once = d_ <= kSmall || (4 * k > d_ && d_ <= kDenseLimit);
  if (!all_at_once && k < d_)
    if (auto pairs = eigenpairs_by_lanczos(*this, k)) return *pairs;
  if (wide && matrix_->rows() <= kDenseLimit) return eigenpairs_through_gram(*this, k);
  if (d_ <= kDenseLimit) return symmetric_eigenpairs(to_dense()).first(k);
  throw NumericalError(
      fmt::format("feature matrix: the first {} eigenvectors of {} did not converge; ask for fewer "
                  "(`top_eigenvectors`)",
                  k, describe()));
}

template <class Scalar>
EigenPairs<Scalar> FeatureMatrix<Scalar>::range_eigenpairs() const {
  if (form_ == Form::sandwich && matrix_->rows() < d_) return range_through_gram(*this, matrix_->rows());
  const EigenPairs<Scalar> pairs = top_eigenpairs(d_);
  return pairs.first(rank_of(pairs.values));
}

template <class Scalar>
FeatureMatrix<Scalar> FeatureMatrix<Scalar>::power(double p) const {
  if (!(p > 0) || !std::isfinite(p)) throw std::invalid_argument("FeatureMatrix::power: p must be positive");
  if (p == 1 || d_ == 0) return *this;
  const auto raise = [p](double l) { return std::pow(l, p); };
  if (form_ == Form::diagonal)
    return diagonal_form(
        vector_->unaryExpr([&](Scalar l) { return static_cast<Scalar>(raise(static_cast<double>(l))); }));
  if (form_ == Form::sandwich && matrix_->rows() < d_) {
    const Matrix<Scalar> root = core_ ? square_root_of_core(*this) : Matrix<Scalar>();
    Matrix<Scalar> middle = spectral_function(symmetric_eigenpairs(gram_of_sandwich(*this, root)),
                                              [p](double l) { return std::pow(l, p - 1); });
    if (core_) {
      const Matrix<Scalar> right = middle * root;
      middle = symmetric_product<Scalar>(root, right);
    }
    return sandwich(matrix_, std::move(middle));
  }
  // A sandwich with r >= d already holds at least d x d entries, so the limit of to_dense does not apply.
  return dense(spectral_function_by_blocks(to_dense(d_), raise));
}

template EigenPairs<float> FeatureMatrix<float>::top_eigenpairs(Index) const;
template EigenPairs<double> FeatureMatrix<double>::top_eigenpairs(Index) const;
template EigenPairs<float> FeatureMatrix<float>::range_eigenpairs() const;
template EigenPairs<double> FeatureMatrix<double>::range_eigenpairs() const;
template FeatureMatrix<float> FeatureMatrix<float>::power(double) const;
template FeatureMatrix<double> FeatureMatrix<double>::power(double) const;

}  // namespace ansatz
