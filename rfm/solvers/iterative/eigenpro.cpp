#include "rfm/solvers/iterative/eigenpro.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/machine/interrupt.h"
#include "core/machine/parallel.h"
#include "core/machine/threads_worth.h"
#include "rfm/solvers/iterative/eigenpro_preconditioner.h"

namespace ansatz::rfm {
namespace {

constexpr double kSafety = 0.99;  // the longest step taken, as a share of the longest stable one
constexpr Index kManyPoints = 100000;
constexpr double kDiverged = 10;  // a residual this many times the least so far has diverged (alpha = 0 leaves 1)

template <class Scalar>
EigenProPreconditioner<Scalar> make_preconditioner(const KernelOperator<Scalar>& k, const EigenProOptions& options,
                                                   const RandomStream& stream) {
  const Index n = k.size(), wanted = options.subsample > 0 ? options.subsample : n < kManyPoints ? 2000 : 4000;
  const Index s = std::min(n, wanted), q = options.directions > 0 ? options.directions : std::max<Index>(20, s / 20);
  return {k, options.ridge, s, q, stream};
}

/// The critical size, where steps need to become shorter, but no more than the memory for K's rows, at least 1.
template <class Scalar>
Index automatic_batch(const EigenProPreconditioner<Scalar>& preconditioner, Index n) {
  const double memory = kEigenProBatchBytes / (sizeof(Scalar) * static_cast<double>(n));
  return static_cast<Index>(std::max(1.0, std::min(preconditioner.beta() / preconditioner.lambda(), memory)));
}

/// The coefficients, with the batch size and step length by which they are improved.
template <class Scalar>
class Iteration {
 public:
  Iteration(const KernelOperator<Scalar>& k, const MatrixView<Scalar>& y, const EigenProOptions& options,
            const RandomStream& stream)
      : k_(k), y_(y), ridge_(options.ridge), preconditioner_(make_preconditioner(k, options, stream)) {
    const Index wanted = options.batch > 0 ? options.batch : automatic_batch(preconditioner_, k.size());
    batch_ = std::min(wanted, k.size());
    step_ = eigenpro_step(batch_, preconditioner_.beta(), preconditioner_.lambda());
    alpha_ = Matrix<Scalar>::Zero(y.rows(), y.cols());
  }

  /// One pass over the rows in random order. Returns the relative residual, each batch's measured before its update.
  double epoch(RandomStream& order) {
    const ThreadScope enough(threads_worth(operations_of_batch(), threads()));
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
  const EigenProPreconditioner<Scalar>& preconditioner() const { return preconditioner_; }

 private:
  /// Rows of K, their product with alpha, and the correction; roughly.
  double operations_of_batch() const {
    constexpr double kPair = 50;  // a distance and an exponential
    const double pairs = static_cast<double>(batch_) * static_cast<double>(k_.size());
    const auto outputs = static_cast<double>(y_.cols()), s = static_cast<double>(preconditioner_.rows().size());
    const auto directions = static_cast<double>(preconditioner_.directions());
    return pairs * ((k_.stored() ? 1 : kPair) + 2 * outputs) + 4 * s * directions * outputs;
  }

  /// Improves alpha by one batch. Returns the squared norm of the batch's residuals before the update.
  double update(const std::vector<Index>& rows) {
    const Matrix<Scalar> k = k_.rows(rows);
    Matrix<Scalar> g = k * alpha_;
    g += static_cast<Scalar>(ridge_) * alpha_(rows, Eigen::all) - y_(rows, Eigen::all);
    const double squares = g.template cast<double>().squaredNorm();
    const Matrix<Scalar> correction = static_cast<Scalar>(step_) * preconditioner_.correction(k, g);
    alpha_(rows, Eigen::all) -= static_cast<Scalar>(step_) * g;
    alpha_(preconditioner_.rows(), Eigen::all) += correction;
    return squares;
  }

  const KernelOperator<Scalar>& k_;
  MatrixView<Scalar> y_;
  double ridge_;
  EigenProPreconditioner<Scalar> preconditioner_;
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

double stable_step(Index batch, double beta, double lambda) {
  return 2 / (beta + static_cast<double>(batch - 1) * lambda);
}

double eigenpro_step(Index batch, double beta, double lambda) {
  return std::min(1 / beta, kSafety * stable_step(batch, beta, lambda));
}

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
  result.directions = iteration.preconditioner().directions();
  result.beta = iteration.preconditioner().beta();
  result.lambda = iteration.preconditioner().lambda();
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
