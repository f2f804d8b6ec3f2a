#include "rfm/solvers/double_solve.h"

#include <spdlog/spdlog.h>

#include <cmath>
#include <optional>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/machine/memory.h"
#include "rfm/pairs/pair_matrices.h"
#include "rfm/solvers/direct_solve.h"
#include "rfm/solvers/probes.h"
#include "rfm/solvers/solve.h"

namespace ansatz::rfm {
namespace {

constexpr Index kSampledRows = 256;
constexpr double kNegligible = 1e-3;  // prediction noise estimated as small as this need not be measured

/// The same points in double, with norms computed in double.
PreparedPoints<double> widened(const Kernel& kernel, const PreparedPoints<float>& points) {
  PreparedPoints<double> wide{points.points.cast<double>(), points.norms.cast<double>(), points.rounded, nullptr,
                              points.unit};
  for (Index i = 0; i < wide.size(); ++i) {
    if (kernel.radial())
      wide.norms[i] = wide.points.row(i).squaredNorm();
    else if (wide.norms[i] > 0)
      wide.points.row(i).normalize();  // so far of unit length only to float32's rounding
  }
  return wide;
}

double relative_difference(const Matrix<double>& a, const Matrix<double>& b, double scale) {
  return (a - b).norm() / std::max(scale, std::numeric_limits<double>::min());
}

/// A float32 system together with its float64 version, which solve() solves.
class Widened {
 public:
  Widened(const Kernel& kernel, const PreparedPoints<float>& points, const MatrixView<float>& y,
          const SolverOptions& options, const RandomStream& stream)
      : kernel_(kernel),
        points_(points),
        y_(y),
        options_(options),
        wide_(widened(kernel, points)),
        probes_(probes(kernel, points, stream)),
        targets_(y.cast<double>()) {}

  Solution<float> solve(const RandomStream& stream) {
    const double n = static_cast<double>(y_.rows());
    const double memory = options_.memory > 0 ? options_.memory : available_memory();
    if (n * n * sizeof(double) > kShareOfMemory * memory) {
      if (auto found = rounded(iterate(stream, memory))) return std::move(*found);
      refuse();
    }
    const PreparedPoints<double> wide_probes = widened(kernel_, probes_);
    const PredictBetween<double> between = [&](const Matrix<double>& alpha) {
      return multiply_kernel(kernel_, wide_probes, wide_, alpha);
    };
    DirectSolver<double> direct(kernel_values(kernel_, wide_), targets_, options_, between);
    const Solution<double> exact = direct.ladder();
    if (auto found = rounded(exact)) return std::move(*found);
    for (const double jitter : DirectSolver<float>::relative_jitters()) {
      Solution<double> smaller = exact;
      smaller.alpha = direct.coefficients_of(exact.fitted, jitter);
      smaller.summary.method += ", least coefficients";
      if (smaller.alpha.size() == 0) continue;
      if (auto found = rounded(std::move(smaller))) return std::move(*found);
    }
    refuse();
  }

 private:
  Solution<double> iterate(const RandomStream& stream, double memory) const {
    const Index n = y_.rows();
    SolverOptions how = options_;
    how.kind = SolverKind::pcg;
    const SystemSize size{n, points_.points.cols(), y_.cols()};
    const Index usual = choose_solver(size, how, sizeof(double), memory).preconditioner_rank;
    how.preconditioner_rank = higher_rank(n, usual, sizeof(double), memory);
    return rfm::solve<double>(kernel_, wide_, targets_, how, stream);
  }

  /// The solution in float32, provided that its predictions there are those that the first solution passed to this
  /// function has in float64.
  std::optional<Solution<float>> rounded(Solution<double> exact) {
    if (expected_.size() == 0) {
      expected_ = std::move(exact.fitted);
      expected_between_ = multiply_kernel(kernel_, widened(kernel_, probes_), wide_, exact.alpha);
    }
    Solution<float> result{exact.alpha.cast<float>(), {}, std::move(exact.summary)};
    if (!result.alpha.allFinite()) return std::nullopt;
    const Matrix<double> predictions = multiply_kernel(kernel_, points_, result.alpha);
    const Matrix<double> between = multiply_kernel(kernel_, probes_, points_, result.alpha);
    const double share = std::sqrt(static_cast<double>(probes_.size()) / static_cast<double>(points_.size()));
    error_ = std::max(relative_difference(predictions, expected_, targets_.norm()),
                      relative_difference(between, expected_between_, share * targets_.norm()));
    if (!(error_ <= kFaithful)) return std::nullopt;
    result.fitted = predictions.cast<float>();
    const Matrix<double> image = predictions + options_.ridge * result.alpha.cast<double>();
    result.summary.relative_residual = relative_difference(targets_, image, targets_.norm());
    result.summary.method += " in float64";
    return result;
  }

  [[noreturn]] void refuse() const {
    throw NumericalError(
        fmt::format("the kernel system of {} rows with ridge {:g} has coefficients so large that float32 changes its "
                    "predictions by {:.2g} of the targets' size; use precision: float64 or a larger ridge",
                    y_.rows(), options_.ridge, error_));
  }

  const Kernel& kernel_;
  const PreparedPoints<float>& points_;
  MatrixView<float> y_;
  const SolverOptions& options_;
  PreparedPoints<double> wide_;
  PreparedPoints<float> probes_;
  Matrix<double> targets_, expected_, expected_between_;
  double error_ = 0;
};

}  // namespace

double float_prediction_error(const Kernel& kernel, const PreparedPoints<float>& points, const Matrix<float>& alpha,
                              const MatrixView<float>& y) {
  const Index n = points.size(), count = std::min(n, kSampledRows);
  std::vector<Index> rows;
  for (Index i = 0; i < count; ++i) rows.push_back(i * n / count);
  const PreparedPoints<float> sample = points.rows(rows);
  const PreparedPoints<double> wide = widened(kernel, points);
  const Matrix<double> exact = multiply_kernel(kernel, wide.rows(rows), wide, Matrix<double>(alpha.cast<double>()));
  const double scale = y.cast<double>().norm() * std::sqrt(static_cast<double>(count) / static_cast<double>(n));
  return relative_difference(multiply_kernel(kernel, sample, points, alpha), exact, scale);
}

template <class Scalar>
std::string rounding_problem(const Kernel& kernel, const PreparedPoints<Scalar>& points, const Vector<Scalar>& diagonal,
                             const Matrix<Scalar>& alpha, const MatrixView<Scalar>& y) {
  double noise = prediction_noise<Scalar>(diagonal, alpha, y);
  if (noise <= kNegligible) return {};
  if constexpr (std::is_same_v<Scalar, float>) noise = float_prediction_error(kernel, points, alpha, y);
  if (noise <= kFaithful) return {};
  return fmt::format("rounding changes the predictions by {:.2g} of the targets' size", noise);
}

template std::string rounding_problem(const Kernel&, const PreparedPoints<float>&, const Vector<float>&,
                                      const Matrix<float>&, const MatrixView<float>&);
template std::string rounding_problem(const Kernel&, const PreparedPoints<double>&, const Vector<double>&,
                                      const Matrix<double>&, const MatrixView<double>&);

Solution<float> solve_in_double(const Kernel& kernel, const PreparedPoints<float>& points, const MatrixView<float>& y,
                                const SolverOptions& options, const RandomStream& stream, const std::string& why) {
  const Stopwatch start;
  spdlog::warn("kernel system of {} rows, ridge {:g}: {}; solving it in float64", y.rows(), options.ridge, why);
  Solution<float> solution = Widened(kernel, points, y, options, stream).solve(stream);
  solution.summary.note = solution.summary.note.empty() ? why : why + "; " + solution.summary.note;
  solution.summary.seconds = start.seconds();
  return solution;
}

}  // namespace ansatz::rfm
