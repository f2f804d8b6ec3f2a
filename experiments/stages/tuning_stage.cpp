#include "experiments/stages/tuning_stage.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/machine/interrupt.h"
#include "core/record/json/tuning_json.h"
#include "experiments/options/option_names.h"
#include "experiments/stages/kernel_stages.h"
#include "experiments/stages/network_stage.h"
#include "experiments/stages/selection.h"
#include "rfm/rfm_family.h"

namespace ansatz::experiments {
namespace {

using Score = std::function<Metrics(std::size_t cell)>;

template <class Scalar>
std::shared_ptr<const Matrix<Scalar>> borrowed(const Matrix<Scalar>& inputs) {
  return std::shared_ptr<const Matrix<Scalar>>(std::shared_ptr<const Matrix<Scalar>>(), &inputs);
}

/// Of the validation rows, at the epoch that a run would report.
template <class Scalar>
Metrics score_network(const NetworkOptions& options, const Split<Scalar>& split, const RunContext& run) {
  const nets::Mlp<Scalar> initial(split.train.dimension(), split.train.outputs(), options.architecture,
                                  run.stream.named("network/initial"));
  const nets::TrainState<Scalar> state =
      nets::train<Scalar>(nets::TrainState<Scalar>(initial), split.train, split.validation, options.training,
                          run.stream.named("network/batches"), [](const EpochRecord&, const nets::TrainState<Scalar>&) {
                            throw_if_interrupted();
                            return true;
                          });
  return evaluate(options.training.keep_best ? state.best() : state.current(), split.validation, options.training.loss);
}

/// Of the validation rows, at the iteration that a run would report.
template <class Scalar>
Metrics score_rfm(const rfm::RfmOptions& options, rfm::RfmFamily<Scalar>& family) {
  const rfm::RfmTrace<Scalar> trace = family.fit(options, [](const RfmIteration&, const auto&) {
    throw_if_interrupted();
    return true;
  });
  return *trace.iteration().validation;
}

/// For each cell, the number of its group: cells of one group differ in nothing but how the same system is solved.
std::vector<std::size_t> systems_of(const Grid& grid) {
  static const std::vector<std::string> of_solvers = {
      "ridge", "solver", "solver_tolerance", "solver_epochs", "solver_iterations", "preconditioner_rank"};
  std::map<std::vector<std::string>, std::size_t> groups;
  std::vector<std::size_t> group_of;
  for (Index cell = 0; cell < grid.cells(); ++cell) {
    std::vector<std::string> system = grid.values(cell);
    for (std::size_t axis = 0; axis < system.size(); ++axis) {
      const std::string& key = grid.axes[axis].key;
      if (std::find(of_solvers.begin(), of_solvers.end(), key.substr(key.rfind('.') + 1)) != of_solvers.end())
        system[axis].clear();
    }
    group_of.push_back(groups.emplace(std::move(system), groups.size()).first->second);
  }
  return group_of;
}

/// Scores the cells of a kernel machine; the system of one cell is kept for the next.
template <class Scalar>
class MachineScore {
 public:
  MachineScore(const TuneOptions& tune, const std::function<FeatureMatrix<Scalar>(Metric)>& metric_of,
               const std::vector<std::size_t>& system_of, const Split<Scalar>& split, const RunContext& run)
      : tune_(tune), metric_of_(metric_of), system_of_(system_of), split_(split), run_(run) {}

  Metrics operator()(std::size_t cell) {
    const KernelMachineOptions& options = tune_.cells[cell].kernel_machines[tune_.machine];
    if (!system_ || current_ != system_of_[cell]) {
      system_.reset();
      system_ = std::make_shared<rfm::KernelSystem<Scalar>>(
          options.kernel, metric_of_(options.metric), borrowed(split_.train.inputs), split_.train.targets,
          run_.stream.named(kernel_stage(options)), rfm::FitHints<Scalar>{{}, &split_.validation, nullptr},
          std::count(system_of_.begin(), system_of_.end(), system_of_[cell]));
      current_ = system_of_[cell];
    }
    const rfm::KernelFit<Scalar> fit = system_->fit(options.solver);
    throw_if_interrupted();
    return evaluate(system_->predict_validation(fit.machine), split_.validation);
  }

 private:
  const TuneOptions& tune_;
  const std::function<FeatureMatrix<Scalar>(Metric)>& metric_of_;
  const std::vector<std::size_t>& system_of_;
  const Split<Scalar>& split_;
  const RunContext& run_;
  std::shared_ptr<rfm::KernelSystem<Scalar>> system_;
  std::size_t current_ = 0;
};

std::string cell_stage(std::size_t cell) { return fmt::format("tune.{}", cell); }

TuningCell fit_cell(const TuneOptions& tune, std::size_t cell, const Score& score, const RunContext& run) {
  const std::vector<std::string> values = tune.grid.values(static_cast<Index>(cell));
  if (run.directory.has_state(cell_stage(cell)))
    return cell_from_state(values, run.directory.load_state(cell_stage(cell)).value());
  TuningCell result{values, std::nullopt, "", 0};
  const Stopwatch watch;
  try {
    result.validation = in_section(section_of(tune.kind), [&] { return score(cell); });
  } catch (const NumericalError& error) {
    result.failure = error.what();
    spdlog::warn("tune: {} fails: {}", tune.grid.describe(static_cast<Index>(cell)), error.what());
  }
  result.seconds = watch.seconds();
  run.directory.save_state(cell_stage(cell), state_json(result));
  return result;
}

/// Fits the cells, those of one system one after the other.
std::vector<TuningCell> fit_cells(const TuneOptions& tune, const std::vector<std::size_t>& system_of,
                                  const Score& score, const RunContext& run) {
  std::vector<std::size_t> order(tune.cells.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return system_of[a] < system_of[b]; });
  Progress progress("tune " + tune.model(), static_cast<Index>(order.size()), "cells", run.quiet);
  std::vector<TuningCell> cells(order.size());
  Index done = 0;
  progress.update(done);
  for (const std::size_t cell : order) {
    cells[cell] = fit_cell(tune, cell, score, run);
    const std::optional<Metrics>& validation = cells[cell].validation;
    progress.update(++done, validation ? "validation " + describe(*validation) : "failed");
    throw_if_interrupted();
  }
  progress.finish();
  return cells;
}

Index choose(const std::vector<TuningCell>& cells) {
  std::vector<std::optional<Metrics>> results;
  for (const TuningCell& cell : cells) results.push_back(cell.validation);
  const std::optional<std::size_t> best = best_on_validation(results);
  if (!best) throw NumericalError("tune: every cell fails, the first with: " + cells.front().failure);
  return static_cast<Index>(*best);
}

/// Without the test rows, which an RFM would predict at every iteration.
template <class Scalar>
std::shared_ptr<const Split<Scalar>> without_test(const Split<Scalar>& split) {
  auto rest = std::make_shared<Split<Scalar>>();
  rest->train = split.train;
  rest->validation = split.validation;
  return rest;
}

template <class Scalar>
Score score_of(const TuneOptions& tune, const std::function<FeatureMatrix<Scalar>(Metric)>& metric_of,
               const std::vector<std::size_t>& system_of, const Split<Scalar>& split, const RunContext& run) {
  switch (tune.kind) {
    case TunedModel::network:
      return [&](std::size_t cell) { return score_network(*tune.cells[cell].network, split, run); };
    case TunedModel::rfm: {
      const Index solvers = different(tune, [](const auto& cell) { return cell.rfm->solver; });
      return [&tune,
              family = std::make_shared<rfm::RfmFamily<Scalar>>(without_test(split), run.stream.named("rfm"), solvers)](
                 std::size_t cell) { return score_rfm(*tune.cells[cell].rfm, *family); };
    }
    case TunedModel::kernel_machine:
      break;
  }
  return MachineScore<Scalar>(tune, metric_of, system_of, split, run);
}

}  // namespace

template <class Scalar>
TuningRecord tune_model(const TuneOptions& tune, const std::function<FeatureMatrix<Scalar>(Metric)>& metric_of,
                        const Split<Scalar>& split, const RunContext& run) {
  const std::vector<std::size_t> system_of = systems_of(tune.grid);
  TuningRecord record;
  record.model = tune.model();
  for (const GridAxis& axis : tune.grid.axes) record.axes.push_back({axis.key, axis.values, axis.logarithmic});
  record.cells = fit_cells(tune, system_of, score_of(tune, metric_of, system_of, split, run), run);
  record.chosen = choose(record.cells);
  return record;
}

template TuningRecord tune_model(const TuneOptions&, const std::function<FeatureMatrix<float>(Metric)>&,
                                 const Split<float>&, const RunContext&);
template TuningRecord tune_model(const TuneOptions&, const std::function<FeatureMatrix<double>(Metric)>&,
                                 const Split<double>&, const RunContext&);

}  // namespace ansatz::experiments
