#include "rfm/solvers/eigenpro.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/features/feature_matrix.h"
#include "core/machine/interrupt.h"

namespace ansatz::rfm {
namespace {

constexpr double kDamping = 0.95;  // the exponent in D; 1 would bring the leading eigenvalues down to sigma_{q+1}
constexpr double kSafety = 0.99;   // the step taken beyond the critical batch, as a share of the largest stable one
constexpr Index kManyPoints = 100000;
constexpr double kDiverged = 10;  // a residual this many times the least so far has diverged (alpha = 0 leaves 1)

/// The preconditioner (symbols as in eigenpro.h): the leading eigendirections of K(S,S) for a random subset S of the
/// rows, by which they are damped, and the two numbers that the step length follows from.
template <class Scalar>
struct Damping {
  std::vector<Index> rows;  // S, s of them
  Matrix<Scalar> vectors;   // E (q x s): eigenvectors, one a row
  Vector<Scalar> weights;   // D (q)
  double tail = 0;          // sigma_{q+1} / s, the largest eigenvalue that is left
  double beta = 1;          // the largest entry of the damped kernel's diagonal

  /// E^T D E K(S,B) g, which a step of 1 adds to alpha_S. k: K(B,X); g: the residuals of the batch B.
  Matrix<Scalar> correction(const Matrix<Scalar>& k, const Matrix<Scalar>& g) const {
    const Matrix<Scalar> between = k(Eigen::all, rows);
    const Matrix<Scalar> along = between.transpose() * g;
    const Matrix<Scalar> damped = weights.asDiagonal() * (vectors * along);
    return vectors.transpose() * damped;
  }
};

/// The largest entry of the damped kernel's diagonal, over the rows S.
template <class Scalar>
double largest_diagonal(const Damping<Scalar>& damping, const Matrix<Scalar>& k_ss) {
  const Matrix<Scalar> along = damping.vectors * k_ss;  // q x s
  double largest = 0;
  for (Index j = 0; j < k_ss.cols(); ++j) {
    const double taken = (damping.weights.array() * along.col(j).array().square()).template cast<double>().sum();
    largest = std::max(largest, static_cast<double>(k_ss(j, j)) - taken);
  }
  return largest;
}

template <class Scalar>
Damping<Scalar> make_damping(const KernelOperator<Scalar>& k, const EigenProOptions& options,
                             const RandomStream& stream) {
  const Index n = k.size(), wanted = options.subsample > 0 ? options.subsample : n < kManyPoints ? 2000 : 4000;
  const Index s = std::min(n, wanted);
  Damping<Scalar> damping;
  damping.rows = stream.named("subsample").sample(n, s);
  const Index q = std::min(s - 1, options.directions > 0 ? options.directions : std::max<Index>(20, s / 20));
  const Matrix<Scalar> k_ss = k.between(damping.rows);
  const EigenPairs<Scalar> pairs = FeatureMatrix<Scalar>::dense(k_ss).top_eigenpairs(q + 1);
  const double last = std::max(static_cast<double>(pairs.values[q]), std::numeric_limits<double>::min());
  damping.vectors = pairs.vectors.topRows(q);
  damping.weights.resize(q);
  for (Index i = 0; i < q; ++i) {
    const double sigma = static_cast<double>(pairs.values[i]);
    damping.weights[i] = static_cast<Scalar>(sigma > last ? (1 - std::pow(last / sigma, kDamping)) / sigma : 0);
  }
  damping.tail = last / static_cast<double>(s);
  damping.beta = largest_diagonal(damping, k_ss);
  return damping;
}

/// The coefficients, with the batch size and step length by which they are improved.
template <class Scalar>
class Iteration {
 public:
  Iteration(const KernelOperator<Scalar>& k, const MatrixView<Scalar>& y, const EigenProOptions& options,
            const RandomStream& stream)
      : k_(k), y_(y), ridge_(options.ridge), damping_(make_damping(k, options, stream)) {
    const double n = static_cast<double>(k.size()), beta = damping_.beta + ridge_, tail = damping_.tail + ridge_ / n;
    // Up to the critical batch size the step is 1/beta. Larger batches need shorter steps, so that they gain little.
    const double critical = beta / tail, memory = kEigenProBatchBytes / (sizeof(Scalar) * n);
    batch_ = options.batch > 0 ? options.batch : static_cast<Index>(std::max(1.0, std::min(critical, memory)));
    batch_ = std::min(batch_, k.size());
    const double m = static_cast<double>(batch_);
    step_ = m < critical + 1 ? 1 / beta : kSafety * 2 / (beta + (m - 1) * tail);
    alpha_ = Matrix<Scalar>::Zero(y.rows(), y.cols());
  }

  /// One pass over the rows in random order. Returns the relative residual, each batch's measured before its update.
  double epoch(RandomStream& order) {
    const std::vector<Index> rows = order.permutation(k_.size());
    double squares = 0;
    for (Index begin = 0; begin < k_.size(); begin += batch_) {
      const Index end = std::min(k_.size(), begin + batch_);
      squares += update(std::vector<Index>(rows.begin() + begin, rows.begin() + end));
      throw_if_interrupted();
    }
    const double scale = y_.template cast<double>().squaredNorm();
    return std::sqrt(squares / std::max(scale, std::numeric_limits<double>::min()));
  }

  const Matrix<Scalar>& alpha() const { return alpha_; }
  Index batch() const { return batch_; }
  double step() const { return step_; }
  Index directions() const { return damping_.vectors.rows(); }

 private:
  /// Improves alpha by one batch. Returns the squared norm of the batch's residuals before the update.
  double update(const std::vector<Index>& rows) {
    const Matrix<Scalar> k = k_.rows(rows);
    Matrix<Scalar> g = k * alpha_;
    g += static_cast<Scalar>(ridge_) * alpha_(rows, Eigen::all) - y_(rows, Eigen::all);
    const double squares = g.template cast<double>().squaredNorm();
    const Matrix<Scalar> correction = static_cast<Scalar>(step_) * damping_.correction(k, g);
    alpha_(rows, Eigen::all) -= static_cast<Scalar>(step_) * g;
    alpha_(damping_.rows, Eigen::all) += correction;
    return squares;
  }

  const KernelOperator<Scalar>& k_;
  MatrixView<Scalar> y_;
  double ridge_;
  Damping<Scalar> damping_;
  Index batch_ = 1;
  double step_ = 1;
  Matrix<Scalar> alpha_;
};

/// The best coefficients so far: those of the least validation error, or of the least residual if there is none.
template <class Scalar>
struct Best {
  Matrix<Scalar> alpha;
  double error = std::numeric_limits<double>::infinity();
  Index epochs_since = 0;
};

}  // namespace

template <class Scalar>
EigenProResult<Scalar> eigenpro(const KernelOperator<Scalar>& k, const MatrixView<Scalar>& y,
                                const EigenProOptions& options, const RandomStream& stream,
                                const ValidationError<Scalar>& validation) {
  const Stopwatch start;
  Iteration<Scalar> iteration(k, y, options, stream);
  RandomStream order = stream.named("batches");
  Best<Scalar> best;
  best.alpha = iteration.alpha();
  EigenProResult<Scalar> result;
  result.batch = iteration.batch();
  result.step = iteration.step();
  result.directions = iteration.directions();
  result.stopped = fmt::format("{} epochs", options.max_epochs);
  double least = 1;
  while (result.epochs < options.max_epochs) {
    const double residual = iteration.epoch(order);
    ++result.epochs;
    if (!(residual <= kDiverged * least))
      throw NumericalError(fmt::format(
          "eigenpro diverged in epoch {} (relative residual {:.3g}, batch {}, step {:.3g}); use solver: auto "
          "or a larger ridge",
          result.epochs, residual, result.batch, result.step));
    least = std::min(least, residual);
    const double error = validation ? validation(iteration.alpha()) : std::numeric_limits<double>::quiet_NaN();
    result.history.push_back({start.seconds(), residual, error});
    ++best.epochs_since;
    const double measure = validation ? error : residual;
    if (measure < best.error) best = {iteration.alpha(), measure, 0};
    if (residual <= options.tolerance) {
      result.termination = Termination::converged;
      result.stopped = fmt::format("the residual is below {:g}", options.tolerance);
      break;
    }
    if (validation && best.epochs_since >= options.patience) {
      result.termination = Termination::validation;
      result.stopped = fmt::format("no better validation error in {} epochs", options.patience);
      break;
    }
  }
  result.alpha = std::move(best.alpha);
  return result;
}

template EigenProResult<float> eigenpro(const KernelOperator<float>&, const MatrixView<float>&, const EigenProOptions&,
                                        const RandomStream&, const ValidationError<float>&);
template EigenProResult<double> eigenpro(const KernelOperator<double>&, const MatrixView<double>&,
                                         const EigenProOptions&, const RandomStream&, const ValidationError<double>&);

}  // namespace ansatz::rfm
