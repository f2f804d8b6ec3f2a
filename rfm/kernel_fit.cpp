#include "rfm/kernel_fit.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "core/base/epsilon.h"
#include "core/base/error.h"
#include "rfm/pairs/kernel_matrix.h"
#include "rfm/pairs/pair_matrices.h"
#include "rfm/pairs/range.h"
#include "rfm/solvers/direct_solve.h"

namespace ansatz::rfm {
namespace {

constexpr double kUnresolved = 1e-3;  // rounding of distances, as a share of the bandwidth, that calls for a warning

/// The function that computes the mean squared error of coefficients on the validation set (where several outputs were
/// standardised, in the unit of the models: core/data/target_scaling.h). It prepares the validation
/// points at its first call, because most solves never call it.
template <class Scalar>
ValidationError<Scalar> validation_error(const Kernel& kernel, const PreparedCenters<Scalar>& centers,
                                         const FitHints<Scalar>& hints) {
  if (hints.validation == nullptr || hints.validation->empty()) return {};
  const Dataset<Scalar>& data = *hints.validation;
  const auto points = std::make_shared<std::optional<PreparedPoints<Scalar>>>();
  return [&kernel, &centers, &data, points](const Matrix<Scalar>& alpha) {
    if (!*points) *points = centers.coordinates.prepare(data.inputs);
    const Matrix<double> predictions = multiply_kernel(kernel, **points, centers.points, alpha);
    return data.target_scaling.comparable_squared_norm(predictions - data.targets.template cast<double>()) /
           static_cast<double>(data.targets.size());
  };
}

/// Warns if, for more than a tenth of the rows, the rounding of their coordinates is not small beside the bandwidth.
template <class Scalar>
void warn_if_unresolved(const Kernel& kernel, const PreparedPoints<Scalar>& points) {
  if (!kernel.radial()) return;
  const double rounding =
      epsilon<Scalar>() * points.unit * length_quantile<Scalar>(few_rows<Scalar>(points.points), 0.9);
  if (rounding <= kUnresolved * kernel.bandwidth()) return;
  spdlog::warn(
      "kernel: the inputs lie so far apart that {} resolves distances to {:.2g} only, beside a bandwidth of {:.4g}; "
      "normalize the data set{}",
      sizeof(Scalar) == 4 ? "float32" : "float64", rounding, kernel.bandwidth(),
      sizeof(Scalar) == 4 ? " or use precision: float64" : "");
}

/// A kernel and the rows made ready for it.
template <class Scalar>
struct ReadyRows {
  Kernel kernel;
  std::shared_ptr<const PreparedCenters<Scalar>> centers;
};

template <class Scalar>
ReadyRows<Scalar> make_ready(const KernelSpec& spec, const FeatureMatrix<Scalar>& metric, const Matrix<Scalar>& x,
                             const RandomStream& stream, const FitHints<Scalar>& hints) {
  const Kernel kernel = make_kernel<Scalar>(spec, metric, x, stream.named("bandwidth"));
  auto centers = prepare_centers<Scalar>(kernel, metric, x, hints.sample_space);
  warn_if_unresolved(kernel, centers->points);
  return {kernel, std::move(centers)};
}

template <class Scalar>
KernelFit<Scalar> fit_ready(const ReadyRows<Scalar>& rows, const FeatureMatrix<Scalar>& metric,
                            std::shared_ptr<const Matrix<Scalar>> x, const Matrix<Scalar>& y,
                            const SolverOptions& solver, const RandomStream& stream, const FitHints<Scalar>& hints,
                            KeptKernel<Scalar>* kept, bool spectral) {
  Solution<Scalar> solution =
      solve<Scalar>(rows.kernel, rows.centers->points, y, solver, stream,
                    {hints.start, validation_error(rows.kernel, *rows.centers, hints), kept, spectral});
  return {KernelMachine<Scalar>(rows.kernel, metric, std::move(x), std::move(solution.alpha), rows.centers),
          solution.summary, std::move(solution.fitted)};
}

}  // namespace

template <class Scalar>
KernelFit<Scalar> fit_kernel_machine(const KernelSpec& spec, const FeatureMatrix<Scalar>& metric,
                                     std::shared_ptr<const Matrix<Scalar>> x, const Matrix<Scalar>& y,
                                     const SolverOptions& solver, const RandomStream& stream,
                                     const FitHints<Scalar>& hints) {
  const ReadyRows<Scalar> rows = make_ready(spec, metric, *x, stream, hints);
  return fit_ready<Scalar>(rows, metric, std::move(x), y, solver, stream, hints, nullptr, false);
}

template <class Scalar>
KernelSystem<Scalar>::KernelSystem(const KernelSpec& spec, FeatureMatrix<Scalar> metric,
                                   std::shared_ptr<const Matrix<Scalar>> x, const Matrix<Scalar>& y,
                                   const RandomStream& stream, FitHints<Scalar> hints, Index fits)
    : KernelSystem(spec,
                   std::make_shared<KernelPairs<Scalar>>(spec, std::move(metric), std::move(x), hints.validation,
                                                         stream, hints.sample_space),
                   y, stream, fits) {
  hints_.start = std::move(hints.start);
}

template <class Scalar>
KernelSystem<Scalar>::KernelSystem(const KernelSpec& spec, std::shared_ptr<KernelPairs<Scalar>> pairs,
                                   const Matrix<Scalar>& y, const RandomStream& stream, Index fits)
    : pairs_(std::move(pairs)),
      y_(y),
      stream_(stream),
      spectral_(fits >= kSpectralSolves),
      kernel_(pairs_->kernel(spec)) {
  hints_.validation = pairs_->validation();
  warn_if_unresolved(kernel_, pairs_->centers()->points);
}

template <class Scalar>
KernelFit<Scalar> KernelSystem<Scalar>::fit(const SolverOptions& solver) {
  if (kept_.empty() && pairs_->kept()) kept_.keep(SymmetricSystem<Scalar>(pairs_->values(kernel_)));
  return fit_ready<Scalar>({kernel_, pairs_->centers()}, pairs_->metric(), pairs_->x(), y_, solver, stream_, hints_,
                           &kept_, spectral_);
}

template <class Scalar>
Matrix<Scalar> KernelSystem<Scalar>::predict_validation(const KernelMachine<Scalar>& machine) {
  if (validation_values_.empty()) validation_values_ = pairs_->validation_values(kernel_);
  Matrix<Scalar> predictions(pairs_->validation()->size(), machine.output_dimension());
  Index begin = 0;
  for (const Matrix<Scalar>& values : validation_values_) {
    predictions.middleRows(begin, values.rows()) = multiply_values(values, machine.alpha()).template cast<Scalar>();
    begin += values.rows();
  }
  return predictions;
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                                   \
  template KernelFit<Scalar> fit_kernel_machine(const KernelSpec&, const FeatureMatrix<Scalar>&,                     \
                                                std::shared_ptr<const Matrix<Scalar>>, const Matrix<Scalar>&,        \
                                                const SolverOptions&, const RandomStream&, const FitHints<Scalar>&); \
  template class KernelSystem<Scalar>;
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz::rfm
