#include "experiments/stages/kernel_stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/machine/interrupt.h"
#include "core/record/json/fit_json.h"
#include "core/record/json/models_json.h"

namespace ansatz::experiments {
namespace {

HistoryRow history_row(const RfmIteration& iteration) {
  HistoryRow row;
  row.model = "rfm";
  row.step = iteration.iteration;
  row.train = iteration.train;
  row.validation = iteration.validation;
  row.test = iteration.test;
  row.seconds = iteration.seconds;
  return row;
}

std::string progress_note(const RfmIteration& iteration) {
  if (iteration.validation) return "validation " + describe(*iteration.validation);
  return iteration.test ? "test " + describe(*iteration.test) : "train " + describe(iteration.train);
}

std::string iteration_stage(Index t) { return fmt::format("rfm.{}", t); }

/// The training rows without copying them; the split outlives every machine made from it.
template <class Scalar>
std::shared_ptr<const Matrix<Scalar>> borrowed(const Matrix<Scalar>& inputs) {
  return std::shared_ptr<const Matrix<Scalar>>(std::shared_ptr<const Matrix<Scalar>>(), &inputs);
}

/// M: dense as array M, its diagonal as `diagonal`; a sandwich as its core C, and its factor F where that is not the
/// training inputs.
template <class Scalar>
void save_metric(const FeatureMatrix<Scalar>& m, const Matrix<Scalar>& training_inputs, StateWriter& state) {
  using Form = typename FeatureMatrix<Scalar>::Form;
  if (m.form() == Form::diagonal) {
    state.add<Scalar>("diagonal", Matrix<Scalar>(m.diagonal_part()));
  } else if (m.form() == Form::dense) {
    state.add<Scalar>("M", m.dense_part());
  } else {
    if (m.factor().data() != training_inputs.data()) state.add<Scalar>("F", m.factor());
    state.add<Scalar>("C", m.core());
  }
}

template <class Scalar>
void save_iteration(const RunDirectory& directory, const RfmIteration& iteration,
                    const rfm::KernelMachine<Scalar>& machine) {
  StateWriter state = directory.write_state(iteration_stage(iteration.iteration));
  if (iteration.iteration > 0) save_metric(machine.metric(), machine.centers(), state);
  state.add<Scalar>("alpha", machine.alpha());
  state.commit(state_json(iteration));
}

template <class Scalar>
FeatureMatrix<Scalar> load_metric(const SavedState& state, Index t, const Matrix<Scalar>& training_inputs) {
  const Index d = training_inputs.cols();
  if (t == 0) return FeatureMatrix<Scalar>::identity(d);
  if (state.has("diagonal"))
    return FeatureMatrix<Scalar>::diagonal_form(Vector<Scalar>(state.array<Scalar>("diagonal", d, 1).col(0)));
  if (state.has("M")) return FeatureMatrix<Scalar>::dense(state.array<Scalar>("M", d, d));
  std::shared_ptr<const Matrix<Scalar>> factor = borrowed(training_inputs);
  if (state.has("F")) factor = std::make_shared<const Matrix<Scalar>>(state.array<Scalar>("F", state.rows("F"), d));
  const Index r = factor->rows();
  return FeatureMatrix<Scalar>::sandwich(std::move(factor), state.array<Scalar>("C", r, r));
}

template <class Scalar>
rfm::RfmStart<Scalar> load_start(const RunContext& run, const Dataset<Scalar>& train) {
  rfm::RfmStart<Scalar> start;
  std::vector<std::string> rows;
  for (Index t = 0; run.directory.has_state(iteration_stage(t)); ++t) {
    const SavedState state = run.directory.load_state(iteration_stage(t));
    start.iterations.push_back(iteration_from_state(state.value()));
    start.feature_matrices.push_back(load_metric<Scalar>(state, t, train.inputs));
    start.alphas.push_back(state.array<Scalar>("alpha", train.size(), train.outputs()));
    rows.push_back(format_history(history_row(start.iterations.back())));
  }
  run.directory.restart_history("rfm", rows);
  return start;
}

}  // namespace

template <class Scalar>
Index RfmResult<Scalar>::feature_iteration() const {
  return std::min<Index>(std::max<Index>(trace.reported, 1), static_cast<Index>(trace.iterations.size()) - 1);
}

template <class Scalar>
FeatureId RfmResult<Scalar>::feature_id() const {
  return FeatureId::rfm(feature_iteration());
}

template <class Scalar>
const FeatureMatrix<Scalar>& RfmResult<Scalar>::features() const {
  return trace.feature_matrices[static_cast<std::size_t>(feature_iteration())];
}

template <class Scalar>
RfmResult<Scalar> run_rfm(const rfm::RfmOptions& options, const Split<Scalar>& split, const RunContext& run) {
  Progress progress("rfm", options.iterations, "iterations", run.quiet);
  rfm::RfmStart<Scalar> start = load_start<Scalar>(run, split.train);
  RfmResult<Scalar> result;
  result.trace = rfm::fit_rfm<Scalar>(
      std::shared_ptr<const Split<Scalar>>(std::shared_ptr<const Split<Scalar>>(), &split), options,
      run.stream.named("rfm"),
      [&](const RfmIteration& iteration, const rfm::KernelMachine<Scalar>& machine) {
        save_iteration(run.directory, iteration, machine);
        run.directory.append_history(format_history(history_row(iteration)));
        progress.update(iteration.iteration, progress_note(iteration));
        throw_if_interrupted();
        return true;
      },
      std::move(start));
  if (!split.test.empty()) result.test_predictions = result.trace.machine().predict(split.test.inputs);
  progress.finish(fmt::format("reported: iteration {}", result.trace.reported));
  return result;
}

std::string kernel_stage(const KernelMachineOptions& options) { return "kernel." + options.label; }

template <class Scalar>
KernelMachineRecord run_kernel_machine(const KernelMachineOptions& options, const FeatureMatrix<Scalar>& metric,
                                       const MachineSaver<Scalar>& save, const Split<Scalar>& split,
                                       const RunContext& run) {
  const std::string stage = kernel_stage(options);
  if (run.directory.has_state(stage)) return machine_from_state(options.label, run.directory.load_state(stage).value());
  Progress progress(options.label, 1, "solve", run.quiet);
  const rfm::KernelFit<Scalar> fit =
      rfm::fit_kernel_machine<Scalar>(options.kernel, metric, borrowed(split.train.inputs), split.train.targets,
                                      options.solver, run.stream.named(stage), {{}, &split.validation, nullptr});
  KernelMachineRecord result;
  result.label = options.label;
  result.description = fit.machine.kernel().describe();
  if (options.metric == Metric::network) result.description += ", M = W₁ᵀW₁ of the network";
  if (options.metric == Metric::rfm) result.description += ", M of the RFM";
  result.solve = fit.summary;
  result.metrics.train = evaluate(fit.fitted, split.train);
  if (!split.validation.empty()) result.metrics.validation = evaluate(fit.machine, split.validation);
  Matrix<Scalar> test_predictions;
  if (!split.test.empty()) {
    test_predictions = fit.machine.predict(split.test.inputs);
    result.metrics.test = evaluate(test_predictions, split.test);
  }
  if (save) save(fit.machine, test_predictions);
  run.directory.save_state(stage, state_json(result));
  progress.update(1);
  progress.finish(fmt::format("{}, relative residual {:.1e}", result.solve.method, result.solve.relative_residual));
  throw_if_interrupted();
  return result;
}

template struct RfmResult<float>;
template struct RfmResult<double>;
template RfmResult<float> run_rfm(const rfm::RfmOptions&, const Split<float>&, const RunContext&);
template RfmResult<double> run_rfm(const rfm::RfmOptions&, const Split<double>&, const RunContext&);
template KernelMachineRecord run_kernel_machine(const KernelMachineOptions&, const FeatureMatrix<float>&,
                                                const MachineSaver<float>&, const Split<float>&, const RunContext&);
template KernelMachineRecord run_kernel_machine(const KernelMachineOptions&, const FeatureMatrix<double>&,
                                                const MachineSaver<double>&, const Split<double>&, const RunContext&);

}  // namespace ansatz::experiments
