#include "rfm/rfm_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "rfm/gradients/gradient_form.h"

namespace ansatz::rfm {
namespace {

void validate(const RfmOptions& options) {
  if (options.iterations < 0)
    throw ConfigError("rfm: iterations must be at least 0, is " + std::to_string(options.iterations));
  if (!(options.feature_matrix_power > 0 && options.feature_matrix_power <= 2))
    throw ConfigError("rfm: feature_matrix_power must be in (0, 2], is " +
                      std::to_string(options.feature_matrix_power));
}

}  // namespace

void require_one_hot_groups(const std::vector<ColumnGroup>& groups) {
  if (std::any_of(groups.begin(), groups.end(), [](const ColumnGroup& group) { return group.one_hot; })) return;
  throw ConfigError(
      "rfm: feature_matrix: blocks needs categorical columns, and this data set has none; use full or diagonal, or a "
      "csv data set with text columns or `categorical`");
}

template <class Scalar>
RfmOptions completed(RfmOptions options, const Dataset<Scalar>& train) {
  validate(options);
  if (!options.blocks) return options;
  options.gradients.blocks = train.column_groups;
  require_one_hot_groups(train.column_groups);
  return options;
}

template <class Scalar>
bool stays_in_sample_space(const RfmOptions& options, const Dataset<Scalar>& train) {
  const bool restricted = options.gradients.diagonal || options.blocks;
  const GradientProblem problem =
      gradient_problem(options.kernel, options.gradients, restricted, train.size(), train.dimension(), train.outputs());
  return options.iterations > 0 &&
         choose_gradient_form(problem, options.gradients.form, sizeof(Scalar)).form == GradientForm::sample_space;
}

template <class Scalar>
std::shared_ptr<const SampleSpace<Scalar>> make_sample_space(const Split<Scalar>& split,
                                                             std::shared_ptr<const Matrix<Scalar>> x,
                                                             const RfmOptions& options) {
  return std::make_shared<const SampleSpace<Scalar>>(
      std::move(x), Kernel::make(options.kernel).radial(),
      std::vector<const Matrix<Scalar>*>{&split.validation.inputs, &split.test.inputs});
}

template <class Scalar>
FeatureMatrix<Scalar> next_feature_matrix(const GradientOuterProduct<Scalar>& agop, const RfmOptions& options) {
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

Index reported_iteration(const std::vector<RfmIteration>& iterations, ReportIteration rule) {
  std::size_t best = iterations.size() - 1;
  if (rule == ReportIteration::last || !iterations.front().validation) return static_cast<Index>(best);
  best = 0;
  for (std::size_t t = 1; t < iterations.size(); ++t)
    if (at_least_as_good(*iterations[t].validation, *iterations[best].validation)) best = t;
  return static_cast<Index>(best);
}

template <class Scalar>
RfmIteration iteration_of(Index t, const KernelFit<Scalar>& fit, const Split<Scalar>& split,
                          const Matrix<Scalar>& validation) {
  RfmIteration row;
  row.iteration = t;
  row.train = evaluate(fit.fitted, split.train);
  if (!split.validation.empty())
    row.validation = validation.size() > 0 ? evaluate(validation, split.validation)
                                           : evaluate<Scalar>(fit.machine, split.validation);
  if (!split.test.empty()) row.test = evaluate<Scalar>(fit.machine, split.test);
  row.solve = fit.summary;
  row.bandwidth = fit.machine.kernel().bandwidth();
  return row;
}

template <class Scalar>
RfmTrace<Scalar> extended(RfmTrace<Scalar> trace, const RfmTask<Scalar>& task,
                          const RfmCallback<Scalar>& on_iteration) {
  const RfmOptions& options = task.options;
  FitHints<Scalar> hints = task.hints();
  FeatureMatrix<Scalar> metric = FeatureMatrix<Scalar>::identity(task.x->cols());
  for (Index t = static_cast<Index>(trace.machines.size()); t <= options.iterations; ++t) {
    const Stopwatch begin;
    std::optional<GradientSummary> gradients;
    if (t > 0) {
      KernelMachine<Scalar>& previous = trace.machines.back();
      GradientOuterProduct<Scalar> agop =
          gradient_outer_product(previous, options.gradients, task.stream.named("gradients/" + std::to_string(t)));
      previous.forget_prepared();
      gradients = agop.summary;
      metric = next_feature_matrix(agop, options);
      hints.start = previous.alpha();
    }
    KernelFit<Scalar> fit = fit_kernel_machine<Scalar>(options.kernel, metric, task.x, task.split.train.targets,
                                                       options.solver, task.stream, hints);
    RfmIteration row = iteration_of(t, fit, task.split);
    row.gradients = gradients;
    row.seconds = begin.seconds();
    trace.iterations.push_back(row);
    trace.feature_matrices.push_back(metric);
    trace.machines.push_back(std::move(fit.machine));
    if (on_iteration && !on_iteration(trace.iterations.back(), trace.machines.back())) break;
  }
  return trace;
}

template <class Scalar>
RfmTrace<Scalar> finished(RfmTrace<Scalar> trace, ReportIteration rule) {
  trace.machines.back().forget_prepared();
  trace.reported = reported_iteration(trace.iterations, rule);
  return trace;
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                                  \
  template RfmOptions completed(RfmOptions, const Dataset<Scalar>&);                                                \
  template bool stays_in_sample_space(const RfmOptions&, const Dataset<Scalar>&);                                   \
  template std::shared_ptr<const SampleSpace<Scalar>> make_sample_space(                                            \
      const Split<Scalar>&, std::shared_ptr<const Matrix<Scalar>>, const RfmOptions&);                              \
  template FeatureMatrix<Scalar> next_feature_matrix(const GradientOuterProduct<Scalar>&, const RfmOptions&);       \
  template RfmIteration iteration_of(Index, const KernelFit<Scalar>&, const Split<Scalar>&, const Matrix<Scalar>&); \
  template RfmTrace<Scalar> extended(RfmTrace<Scalar>, const RfmTask<Scalar>&, const RfmCallback<Scalar>&);         \
  template RfmTrace<Scalar> finished(RfmTrace<Scalar>, ReportIteration);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz::rfm
