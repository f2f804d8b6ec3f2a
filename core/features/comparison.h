// How alike two feature matrices are.
#pragma once

#include <vector>

#include "core/base/epsilon.h"
#include "core/features/feature_matrix.h"

namespace ansatz {

struct ComparisonOptions {
  Index top_eigenvectors = 3;  ///< k: eigenvectors and subspaces compared up to here
};

/// How alike the entries of two matrices are. Scaling A or B by a positive number changes no value. A quantity that is
/// undefined (a constant diagonal, a zero matrix, no entries off the diagonal) is NaN and throws nothing.
struct EntrySimilarity {
  double diagonal_pearson = 0;  ///< Pearson r of the diagonals
  double diagonal_cosine = 0;
  double matrix_pearson = 0;        ///< Pearson r over all d*d entries
  double cosine = 0;                ///< <A,B> / (|A| |B|) over all entries
  double off_diagonal_pearson = 0;  ///< Pearson r over the d*d - d entries off the diagonal
  double off_diagonal_cosine = 0;
};

inline constexpr double kClearGap = 0.1;  ///< of the largest eigenvalue: neighbours that far apart are told apart
inline constexpr Index kSubspaces = 10;   ///< nested eigenspaces that are compared one by one

/// How alike the entries and the leading eigenspaces are, by the same conventions.
struct FeatureComparison : EntrySimilarity {
  /// |Pearson r| of the entries of the i-th eigenvectors, i = 1..k (the sign of an eigenvector is arbitrary). NaN
  /// beyond the rank of A or B. Means little where an eigenvalue is nearly repeated: see the gaps and the angles.
  std::vector<double> top_eigenvector_pearson;
  /// The k angles between the top-k eigenspaces, ascending. If A or B has a rank q < k: the q angles between the top-q
  /// eigenspaces, then NaN. Angles of equal subspaces are 0 to rounding, not to its square root.
  std::vector<double> principal_angles_deg;
  /// The largest angle between the top-i eigenspaces, i = 1..k, at most kSubspaces; NaN beyond the rank of A or B.
  std::vector<double> subspace_angles_deg;
  std::vector<double> eigenvalues_a, eigenvalues_b;      ///< the k+1 largest (or d)
  std::vector<double> relative_gaps_a, relative_gaps_b;  ///< (l_i - l_{i+1}) / l_1, i = 1..k (l_{d+1} = 0)
};

/// How many eigenvectors lead together: the smallest i for which, in both matrices, the i-th eigenvalue stands clear of
/// the next (kClearGap). 1: the top eigenvectors can be compared one by one. If none does, as many as
/// there are subspace angles.
Index leading_dimension(const FeatureComparison& comparison);

/// What a comparison needs of one matrix, computed once for any number of comparisons. Squares of entries are taken at
/// "unit scale", that is after dividing a matrix whose entries are far from 1 by a power of two, so that they neither
/// overflow nor vanish.
template <class Scalar>
class MatrixSummary {
 public:
  /// `eigenpairs`: how many of the largest to find (cut to d); comparing eigenspaces up to k needs k + 1.
  /// `entry_rounding`: relative rounding of the entries, larger than Scalar's where they come from a file of shorter
  /// numbers; eigenvalues below it count as 0.
  explicit MatrixSummary(const FeatureMatrix<Scalar>& m, Index eigenpairs = 0,
                         double entry_rounding = epsilon<Scalar>());
  const FeatureMatrix<Scalar>& matrix() const { return matrix_; }  ///< made dense where that is cheaper
  const Vector<double>& diagonal() const { return diagonal_; }
  const EigenPairs<Scalar>& top() const { return top_; }
  bool is_zero() const { return squared_norm_ == 0; }

  const FeatureMatrix<Scalar>& at_unit_scale() const { return unit_; }
  // Diagonal, eigenvalues, sum of all entries and squared Frobenius norm of the matrix at unit scale.
  const Vector<double>& unit_diagonal() const { return unit_diagonal_; }
  const Vector<Scalar>& unit_eigenvalues() const { return unit_eigenvalues_; }
  double unit_sum() const { return sum_; }
  double unit_squared_norm() const { return squared_norm_; }
  /// Relative rounding of the squared norm and of inner products; a smaller share counts as 0.
  double rounding() const { return rounding_; }
  double entry_rounding() const { return entry_rounding_; }

 private:
  FeatureMatrix<Scalar> matrix_, unit_;
  Vector<double> diagonal_, unit_diagonal_;
  EigenPairs<Scalar> top_;
  Vector<Scalar> unit_eigenvalues_;
  double sum_ = 0, squared_norm_ = 0, rounding_ = 0, entry_rounding_ = 0;
};

/// Throws DataError if dimensions differ.
template <class Scalar>
EntrySimilarity entry_similarity(const MatrixSummary<Scalar>& a, const MatrixSummary<Scalar>& b);

/// Pearson r of two vectors as numpy.corrcoef gives it, in two passes; NaN if either is constant to `rounding`
/// (relative).
double pearson(const Vector<double>& a, const Vector<double>& b, double rounding = 1e-15);

/// Principal angles in degrees, ascending, between the spans of the rows of a and b (both k x d, independent rows).
/// Cosines come from the singular values of Q_a Q_b^T. Below 45 degrees, where the cosine resolves little, the sines
/// are used, the singular values of Q_b - (Q_b Q_a^T) Q_a.
std::vector<double> principal_angles_deg(const Matrix<double>& a, const Matrix<double>& b);

/// How much of m lies in the span of the orthonormal rows of u (r x d): tr(U M U^T) / tr M, 0 to 1; NaN for m = 0.
/// Where a target depends on U x alone, this is right whatever the gradients within the subspace are. Throws DataError
/// if the dimensions differ.
template <class Scalar>
double share_in_subspace(const FeatureMatrix<Scalar>& m, const Matrix<Scalar>& u);

/// The whole comparison. Throws DataError if dimensions differ, ConfigError if options.top_eigenvectors < 0,
/// std::invalid_argument if a summary holds too few eigenpairs.
template <class Scalar>
FeatureComparison compare(const MatrixSummary<Scalar>& a, const MatrixSummary<Scalar>& b,
                          const ComparisonOptions& options = {});

/// The same for two matrices that are compared only once.
template <class Scalar>
FeatureComparison compare(const FeatureMatrix<Scalar>& a, const FeatureMatrix<Scalar>& b,
                          const ComparisonOptions& options = {});

}  // namespace ansatz
