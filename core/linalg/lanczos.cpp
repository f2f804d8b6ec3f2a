#include "core/linalg/lanczos.h"

#include <Spectra/SymEigsSolver.h>

#include <algorithm>
#include <stdexcept>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/machine/parallel.h"

namespace ansatz {
namespace {

// P (M / scale + I) P, where P removes the directions already found: their eigenvalue becomes 0, all others are near or
// above 1. Spectra wants this type, these members and column vectors.
class ShiftedOperator {
 public:
  using Scalar = double;

  ShiftedOperator(const SymmetricOperator& apply, Index d, double scale, const Matrix<double>& found)
      : apply_(apply), d_(d), scale_(scale), found_(found) {}

  Index rows() const { return d_; }
  Index cols() const { return d_; }
  void perform_op(const double* in, double* out) const {
    const Vector<double> x = project(Eigen::Map<const Vector<double>>(in, d_));
    Eigen::Map<Vector<double>>(out, d_) = project(apply_(x) / scale_ + x);
  }

 private:
  Vector<double> project(const Vector<double>& x) const {
    if (found_.rows() == 0) return x;
    const Vector<double> along = found_ * x;
    return x - found_.transpose() * along;
  }

  const SymmetricOperator& apply_;
  Index d_;
  double scale_;
  const Matrix<double>& found_;
};

Vector<double> start_vector(Index d, Index round) {
  return RandomStream(static_cast<std::uint64_t>(round)).named("lanczos/start").normal_matrix<double>(1, d).row(0);
}

// The size of the largest eigenvalue from a few power steps. It is an underestimate, which is enough for a scale. 0 for
// a zero operator.
double estimate_scale(const SymmetricOperator& apply, Index d) {
  Vector<double> x = start_vector(d, 0);
  double scale = 0;
  for (int step = 0; step < 8; ++step) {
    x = apply(x / x.norm());
    scale = x.norm();
    if (scale == 0) return 0;
  }
  return scale;
}

// The `count` largest eigenpairs orthogonal to `found`, or nothing. Each round needs a start vector of its own: within
// an eigenspace a start vector has only one direction, which is already in `found` if it was used before.
std::optional<EigenPairs<double>> solve(const SymmetricOperator& apply, Index d, Index count, double scale,
                                        double tolerance, const Matrix<double>& found, Index round) {
  constexpr Index kRestarts = 60;
  ShiftedOperator op(apply, d, scale, found);
  const Vector<double> start = start_vector(d, round);
  for (Index basis = std::max<Index>(2 * count + 20, 40), attempt = 0; attempt < 3; basis *= 3, ++attempt) {
    Spectra::SymEigsSolver<ShiftedOperator> solver(op, count, std::min(d, basis));
    solver.init(start.data());
    try {
      solver.compute(Spectra::SortRule::LargestAlge, kRestarts, tolerance);
    } catch (const Error&) {
      throw;
    } catch (const std::runtime_error&) {  // Spectra's small tridiagonal problem did not converge
      continue;
    }
    if (solver.info() == Spectra::CompInfo::Successful)
      return EigenPairs<double>{(solver.eigenvalues().array() - 1) * scale, solver.eigenvectors().transpose()};
    if (basis >= d) break;
  }
  return std::nullopt;
}

// Replaces the span's basis by the eigenvectors of M restricted to it (Rayleigh-Ritz). Returns the largest residual.
double refine(const SymmetricOperator& apply, EigenPairs<double>& pairs) {
  orthonormalize_rows(pairs.vectors);
  Matrix<double> image(pairs.vectors.rows(), pairs.vectors.cols());
  for (Index i = 0; i < image.rows(); ++i) image.row(i) = apply(pairs.vectors.row(i).transpose()).transpose();
  Matrix<double> small = image * pairs.vectors.transpose();
  make_symmetric(small);
  const EigenPairs<double> ritz = symmetric_eigenpairs(small);
  pairs.values = ritz.values;
  pairs.vectors = (ritz.vectors * pairs.vectors).eval();
  image = (ritz.vectors * image).eval();
  return (image - pairs.values.asDiagonal() * pairs.vectors).rowwise().norm().maxCoeff();
}

EigenPairs<double> with_one_more(const EigenPairs<double>& pairs, const EigenPairs<double>& next) {
  EigenPairs<double> result{Vector<double>(pairs.values.size() + 1),
                            Matrix<double>(pairs.vectors.rows() + 1, pairs.vectors.cols())};
  result.values << pairs.values, next.values;
  result.vectors << pairs.vectors, next.vectors;
  return result;
}

}  // namespace

std::optional<EigenPairs<double>> lanczos_largest(const SymmetricOperator& apply, Index d, Index k, double tolerance) {
  if (k < 1 || k >= d) throw std::logic_error("lanczos_largest: needs 1 <= k < d");
  const ThreadScope one_thread(1);  // thousands of short products with the basis
  const double scale = estimate_scale(apply, d);
  if (scale == 0) return EigenPairs<double>{Vector<double>::Zero(k), Matrix<double>::Identity(k, d)};
  const Matrix<double> none(0, d);
  std::optional<EigenPairs<double>> found = solve(apply, d, k, scale, tolerance, none, 0);
  if (!found) return std::nullopt;
  const double rounding = 20 * tolerance * scale;
  double residual = refine(apply, *found);
  for (Index round = 1; round <= k; ++round) {  // at most k - 1 of the first k can have been wrong
    if (found->vectors.rows() == d) break;
    const auto missed = solve(apply, d, 1, scale, tolerance, found->vectors, round);
    if (!missed) return std::nullopt;
    if (missed->values[0] <= found->values[k - 1] + rounding) break;
    found = with_one_more(*found, *missed);
    residual = refine(apply, *found);
    found->values = found->values.head(k).eval();
    found->vectors = found->vectors.topRows(k).eval();
  }
  if (!(residual <= 10 * rounding)) return std::nullopt;
  fix_signs(found->vectors);
  return found;
}

}  // namespace ansatz
