#include "rfm/rfm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "rfm/gradients/gradient_form.h"
#include "rfm/pairs/kernel_matrix.h"

namespace ansatz::rfm {
namespace {

void validate(const RfmOptions& options) {
  if (options.iterations < 0)
    throw ConfigError("rfm: iterations must be at least 0, is " + std::to_string(options.iterations));
  if (!(options.feature_matrix_power > 0 && options.feature_matrix_power <= 2))
    throw ConfigError("rfm: feature_matrix_power must be in (0, 2], is " +
                      std::to_string(options.feature_matrix_power));
}

/// M from the AGOP: its power, normalised. The AGOP comes divided by unit^2, which is multiplied in again only if there
/// is no normalisation to cancel it.
template <class Scalar>
FeatureMatrix<Scalar> normalized(const GradientOuterProduct<Scalar>& agop, const RfmOptions& options) {
  const MetricNormalization mode = options.normalize_feature_matrix;
  const FeatureMatrix<Scalar> m = agop.matrix.power(options.feature_matrix_power);
  if (mode == MetricNormalization::none) {
    if (agop.unit == 1) return m;
    const double factor = std::pow(agop.unit, 2 * options.feature_matrix_power),
                 largest = m.largest_diagonal() * factor;
    using Limits = std::numeric_limits<Scalar>;
    if (m.largest_diagonal() > 0 && !(largest > double(Limits::min()) && largest < double(Limits::max())))
      throw NumericalError(
          fmt::format("rfm: the largest entry of the feature matrix would be 1e{:.0f}, beyond the range of {}; use "
                      "`normalize_feature_matrix`: max, or scale the targets or the inputs",
                      std::log10(m.largest_diagonal()) + 2 * options.feature_matrix_power * std::log10(agop.unit),
                      sizeof(Scalar) == 4 ? "float32" : "float64"));
    return m.scaled(factor);
  }
  const double size = mode == MetricNormalization::max ? m.largest_diagonal()  // M is semi-definite: no entry is larger
                                                       : m.trace() / static_cast<double>(m.dimension());
  return size > 0 && size != 1.0 ? m.scaled(1 / size) : m;  // a zero matrix stays as it is
}

/// The options with the data set's blocks filled in, if blocks are asked for.
template <class Scalar>
RfmOptions completed(RfmOptions options, const Dataset<Scalar>& train) {
  if (!options.blocks) return options;
  options.gradients.blocks = train.column_groups;
  require_one_hot_groups(train.column_groups);
  return options;
}

/// One row of the trace for a machine that has just been fitted.
template <class Scalar>
RfmIteration record(Index t, const KernelFit<Scalar>& fit, const Split<Scalar>& split) {
  RfmIteration row;
  row.iteration = t;
  row.train = evaluate(fit.fitted, split.train);
  if (!split.validation.empty()) row.validation = evaluate<Scalar>(fit.machine, split.validation);
  if (!split.test.empty()) row.test = evaluate<Scalar>(fit.machine, split.test);
  row.solve = fit.summary;
  row.bandwidth = fit.machine.kernel().bandwidth();
  return row;
}

Index choose(const std::vector<RfmIteration>& iterations, ReportIteration rule) {
  std::size_t best = iterations.size() - 1;
  if (rule == ReportIteration::last || !iterations.front().validation) return static_cast<Index>(best);
  best = 0;
  for (std::size_t t = 1; t < iterations.size(); ++t)
    if (at_least_as_good(*iterations[t].validation, *iterations[best].validation)) best = t;
  return static_cast<Index>(best);
}

/// The sample space of an RFM whose feature matrices stay sandwiches over the training rows; null for any other RFM.
template <class Scalar>
std::shared_ptr<const SampleSpace<Scalar>> sample_space_of(const Split<Scalar>& split,
                                                           const std::shared_ptr<const Matrix<Scalar>>& x,
                                                           const RfmOptions& options) {
  const bool restricted = options.gradients.diagonal || options.blocks;
  const GradientProblem problem =
      gradient_problem(options.kernel, options.gradients, restricted, x->rows(), x->cols(), split.train.outputs());
  const GradientCost chosen = choose_gradient_form(problem, options.gradients.form, sizeof(Scalar));
  if (options.iterations == 0 || chosen.form != GradientForm::sample_space) return nullptr;
  return std::make_shared<const SampleSpace<Scalar>>(
      x, Kernel::make(options.kernel).radial(),
      std::vector<const Matrix<Scalar>*>{&split.validation.inputs, &split.test.inputs});
}

/// Rebuilds what a run that was cut off had reached. The centres of the last machine are prepared exactly as fitting
/// prepares them, so that what follows has the same bytes as in an uninterrupted run.
template <class Scalar>
RfmTrace<Scalar> restore(RfmStart<Scalar> start, const RfmOptions& options, std::shared_ptr<const Matrix<Scalar>> x,
                         const RandomStream& stream, std::shared_ptr<const SampleSpace<Scalar>> sample_space) {
  if (start.alphas.size() != start.feature_matrices.size() || start.iterations.size() != start.alphas.size())
    throw DataError("rfm: the saved state holds different numbers of iterations, feature matrices and coefficients");
  RfmTrace<Scalar> trace;
  for (std::size_t t = 0; t < start.alphas.size(); ++t) {
    const Kernel kernel = make_kernel<Scalar>(options.kernel, start.feature_matrices[t], *x, stream.named("bandwidth"));
    std::shared_ptr<const PreparedCenters<Scalar>> prepared;
    if (t + 1 == start.alphas.size() && static_cast<Index>(t) < options.iterations)
      prepared = prepare_centers<Scalar>(kernel, start.feature_matrices[t], *x, sample_space);
    trace.machines.emplace_back(kernel, start.feature_matrices[t], x, std::move(start.alphas[t]), prepared);
  }
  trace.feature_matrices = std::move(start.feature_matrices);
  trace.iterations = std::move(start.iterations);
  return trace;
}

template <class Scalar>
RfmTrace<Scalar> iterate(const Split<Scalar>& split, std::shared_ptr<const Matrix<Scalar>> x, const RfmOptions& asked,
                         const RandomStream& stream, const RfmCallback<Scalar>& on_iteration, RfmStart<Scalar> start) {
  validate(asked);
  const RfmOptions options = completed(asked, split.train);
  FeatureMatrix<Scalar> metric = FeatureMatrix<Scalar>::identity(x->cols());
  FitHints<Scalar> hints{{}, &split.validation, sample_space_of(split, x, options)};
  RfmTrace<Scalar> trace = restore(std::move(start), options, x, stream, hints.sample_space);
  for (Index t = static_cast<Index>(trace.machines.size()); t <= options.iterations; ++t) {
    const Stopwatch begin;
    std::optional<GradientSummary> gradients;
    if (t > 0) {
      KernelMachine<Scalar>& previous = trace.machines.back();
      GradientOuterProduct<Scalar> agop =
          gradient_outer_product(previous, options.gradients, stream.named("gradients/" + std::to_string(t)));
      previous.forget_prepared();
      gradients = agop.summary;
      metric = normalized(agop, options);
      hints.start = previous.alpha();
    }
    KernelFit<Scalar> fit =
        fit_kernel_machine<Scalar>(options.kernel, metric, x, split.train.targets, options.solver, stream, hints);
    RfmIteration row = record(t, fit, split);
    row.gradients = gradients;
    row.seconds = begin.seconds();
    trace.iterations.push_back(row);
    trace.feature_matrices.push_back(metric);
    trace.machines.push_back(std::move(fit.machine));
    if (on_iteration && !on_iteration(trace.iterations.back(), trace.machines.back())) break;
  }
  trace.machines.back().forget_prepared();
  trace.reported = choose(trace.iterations, options.report_iteration);
  return trace;
}

}  // namespace

void require_one_hot_groups(const std::vector<ColumnGroup>& groups) {
  if (std::any_of(groups.begin(), groups.end(), [](const ColumnGroup& group) { return group.one_hot; })) return;
  throw ConfigError(
      "rfm: feature_matrix: blocks needs categorical columns, and this data set has none; use full or diagonal, or a "
      "csv data set with text columns or `categorical`");
}

template <class Scalar>
RfmTrace<Scalar> fit_rfm(std::shared_ptr<const Split<Scalar>> split, const RfmOptions& options,
                         const RandomStream& stream, const RfmCallback<Scalar>& on_iteration, RfmStart<Scalar> start) {
  const std::shared_ptr<const Matrix<Scalar>> x(split, &split->train.inputs);
  return iterate(*split, x, options, stream, on_iteration, std::move(start));
}

template <class Scalar>
RfmTrace<Scalar> fit_rfm(const Split<Scalar>& split, const RfmOptions& options, const RandomStream& stream,
                         const RfmCallback<Scalar>& on_iteration, RfmStart<Scalar> start) {
  const auto x = std::make_shared<const Matrix<Scalar>>(split.train.inputs);
  return iterate<Scalar>(split, x, options, stream, on_iteration, std::move(start));
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                                \
  template RfmTrace<Scalar> fit_rfm(std::shared_ptr<const Split<Scalar>>, const RfmOptions&, const RandomStream&, \
                                    const RfmCallback<Scalar>&, RfmStart<Scalar>);                                \
  template RfmTrace<Scalar> fit_rfm(const Split<Scalar>&, const RfmOptions&, const RandomStream&,                 \
                                    const RfmCallback<Scalar>&, RfmStart<Scalar>);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz::rfm
