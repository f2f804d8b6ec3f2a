#include "experiments/stages/network_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"
#include "core/machine/interrupt.h"
#include "core/record/json/models_json.h"
#include "experiments/options/option_names.h"
#include "experiments/stages/layer_variants.h"
#include "experiments/stages/network_observer.h"

namespace ansatz::experiments {
namespace {

constexpr double kSecondsBetweenCheckpoints = 15;

std::string snapshot_stage(Index epoch) { return fmt::format("network.snapshot.{}", epoch); }

template <class Scalar>
void save_snapshot(const Matrix<Scalar>& w, Index epoch, bool with_eigenvector, const RunDirectory& directory) {
  StateWriter state = directory.write_state(snapshot_stage(epoch));
  if (with_eigenvector)
    state.add<Scalar>("eigenvector", in_section("comparison", [&] {
                        return FeatureMatrix<Scalar>::sandwich(w).top_eigenpairs(1).vectors;
                      }));
  const Vector<Scalar> diagonal = w.colwise().squaredNorm().transpose();
  state.add<Scalar>("diagonal", Matrix<Scalar>(diagonal.transpose()));
  state.commit({{"epoch", epoch}});
}

std::string observation_stage(Index epoch) { return fmt::format("network.observed.{}", epoch); }

HistoryRow history_row(const EpochRecord& record) {
  HistoryRow row;
  row.model = "network";
  row.step = record.epoch;
  row.train_loss = record.train_loss;
  row.train = record.train;
  row.validation = record.validation;
  row.seconds = record.seconds;
  return row;
}

std::string progress_note(const EpochRecord& record) {
  const std::string note = fmt::format("loss {:.3g}", record.train_loss);
  return record.validation ? note + ", validation " + describe(*record.validation) : note;
}

/// Persists what training has reached: snapshots as they come, the state file now and then.
template <class Scalar>
class Recorder {
 public:
  Recorder(const NetworkOptions& options, const nets::Mlp<Scalar>& initial, const NetworkObserver<Scalar>& observer,
           const RunContext& run)
      : run_(run),
        initial_(initial),
        observer_(observer),
        snapshots_(snapshot_epochs(options.training.epochs, options.snapshots)),
        eigenvectors_(options.snapshot_eigenvectors),
        progress_("network", options.training.epochs, "epochs", run.quiet) {}

  bool operator()(const EpochRecord& record, const nets::TrainState<Scalar>& state) {
    run_.directory.append_history(format_history(history_row(record)));
    if (snapshots_.count(record.epoch) > 0)
      save_snapshot<Scalar>(state.first_layer(), record.epoch, eigenvectors_, run_.directory);
    if (observer_.due(record))
      run_.directory.save_state(observation_stage(record.epoch), to_json(observer_.observe(state.current(), initial_)));
    progress_.update(record.epoch, progress_note(record));
    if (interrupted() || since_saved_.seconds() > kSecondsBetweenCheckpoints) {
      state.save(run_.directory.state_path("network.train"));
      since_saved_ = Stopwatch();
    }
    throw_if_interrupted();
    return true;
  }

  void finish(const std::string& note) { progress_.finish(note); }
  const std::set<Index>& snapshots() const { return snapshots_; }

 private:
  const RunContext& run_;
  const nets::Mlp<Scalar>& initial_;
  const NetworkObserver<Scalar>& observer_;
  std::set<Index> snapshots_;
  bool eigenvectors_;
  Progress progress_;
  Stopwatch since_saved_;
};

template <class Scalar>
nets::TrainState<Scalar> starting_state(const nets::Mlp<Scalar>& initial, const RunContext& run) {
  const std::filesystem::path file = run.directory.state_path("network.train");
  nets::TrainState<Scalar> state =
      std::filesystem::exists(file) ? nets::TrainState<Scalar>::load(file, initial) : nets::TrainState<Scalar>(initial);
  std::vector<std::string> rows;
  for (const EpochRecord& record : state.history()) rows.push_back(format_history(history_row(record)));
  run.directory.restart_history("network", rows);
  return state;
}

/// What was kept of the epochs that training has been through; DataError if one of them is missing.
template <class Scalar>
void read_snapshots(const std::set<Index>& epochs, bool with_eigenvectors, const RunContext& run,
                    NetworkResult<Scalar>& result) {
  const Index d = result.network.input_dimension(), reached = result.history.back().epoch;
  for (const Index epoch : epochs)
    if (epoch <= reached) result.snapshot_epochs.push_back(epoch);
  const auto count = static_cast<Index>(result.snapshot_epochs.size());
  if (count == 0) return;
  result.snapshot_diagonals.resize(count, d);
  if (with_eigenvectors) result.snapshot_eigenvectors.resize(count, d);
  for (Index i = 0; i < count; ++i) {
    const SavedState state =
        run.directory.load_state(snapshot_stage(result.snapshot_epochs[static_cast<std::size_t>(i)]));
    result.snapshot_diagonals.row(i) = state.array<Scalar>("diagonal", 1, d);
    if (with_eigenvectors) result.snapshot_eigenvectors.row(i) = state.array<Scalar>("eigenvector", 1, d);
  }
}

/// What the observer saw at the epochs at which it was due; DataError if one of them is missing.
template <class Scalar>
std::vector<Observation> read_observations(const NetworkObserver<Scalar>& observer,
                                           const std::vector<EpochRecord>& history, const RunContext& run) {
  std::vector<Observation> observations;
  for (const EpochRecord& record : history) {
    if (observer.due(record))
      observations.push_back(
          {record.epoch, seen_from_json(run.directory.load_state(observation_stage(record.epoch)).value())});
  }
  return observations;
}

template <class Scalar>
NetworkResult<Scalar> train_network(const NetworkOptions& options, const Split<Scalar>& split, const RunContext& run) {
  const NetworkObserver<Scalar> observer(options, split, run);
  const nets::Mlp<Scalar> initial(split.train.dimension(), split.train.outputs(), options.architecture,
                                  run.stream.named("network/initial"));
  Recorder<Scalar> recorder(options, initial, observer, run);
  nets::TrainState<Scalar> start = starting_state(initial, run);
  const bool begun = !start.history().empty();
  const Index before = start.epoch();
  const nets::TrainState<Scalar> state = nets::train<Scalar>(
      std::move(start), split.train, split.validation, options.training, run.stream.named("network/batches"),
      [&](const EpochRecord& record, const nets::TrainState<Scalar>& s) { return recorder(record, s); });
  if (!begun || state.epoch() > before) state.save(run.directory.state_path("network.train"));
  const bool best = options.training.keep_best && !split.validation.empty();
  NetworkResult<Scalar> result(best ? state.best() : state.current());
  if (!split.test.empty()) result.last_test = evaluate(state.current(), split.test, options.training.loss);
  result.initial = initial;
  result.history = state.history();
  result.reported_epoch = best ? state.best_epoch() : state.epoch();
  result.train_seconds = state.history().back().seconds;
  read_snapshots(recorder.snapshots(), options.snapshot_eigenvectors, run, result);
  result.observations = read_observations(observer, result.history, run);
  recorder.finish(fmt::format("reported: epoch {}", *result.reported_epoch));
  return result;
}

template <class Scalar>
void evaluate_network(Loss loss, const Split<Scalar>& split, NetworkResult<Scalar>& result) {
  result.train = evaluate(result.network, split.train, loss);
  if (!split.validation.empty()) result.validation = evaluate(result.network, split.validation, loss);
  if (split.test.empty()) return;
  result.test_predictions = result.network.predict(split.test.inputs);
  result.test = evaluate(result.test_predictions, split.test, loss);
}

template <class Scalar>
void measure_features(const NetworkOptions& options, const Split<Scalar>& split, const RunContext& run,
                      NetworkResult<Scalar>& result) {
  const Stopwatch watch;
  result.nfm = result.network.feature_matrix(1);
  if (result.initial) result.initial_nfm = result.initial->feature_matrix(1);
  const bool all = options.gradient_samples == 0 || options.gradient_samples >= split.train.size();
  const Matrix<Scalar> subset = all ? Matrix<Scalar>() : gradient_points(options, split, run);
  const Matrix<Scalar>& points = all ? split.train.inputs : subset;
  result.agop = result.network.agop(points, false);
  result.agop_centered = result.network.agop(points, true);
  if (options.layers == ComparedLayers::all)
    result.deeper_layers =
        layer_variants<Scalar>(result.network, result.initial ? &*result.initial : nullptr, points, 2);
  result.agop_seconds = watch.seconds();
}

}  // namespace

template <class Scalar>
Vector<double> NetworkResult<Scalar>::learned_diagonal() const {
  if (!initial) return {};
  return (network.weight(1) - initial->weight(1)).template cast<double>().colwise().squaredNorm().transpose();
}

template <class Scalar>
NetworkResult<Scalar> run_network(const NetworkOptions& options, const std::optional<ImportedNetwork<Scalar>>& imported,
                                  const Split<Scalar>& split, const RunContext& run) {
  NetworkResult<Scalar> result =
      imported ? NetworkResult<Scalar>(imported->network) : train_network(options, split, run);
  if (imported) {
    result.initial = imported->initial;
    result.reading = imported->reading;
    if (!run.quiet) std::fprintf(stderr, "network: read as %s\n", result.reading.c_str());
  }
  evaluate_network(options.training.loss, split, result);
  measure_features(options, split, run, result);
  return result;
}

template <class Scalar>
std::string describe_network(const nets::Mlp<Scalar>& network) {
  std::string shape = fmt::format("{}", network.input_dimension());
  double parameters = 0;
  Index biased = 0;
  for (Index layer = 1; layer <= network.layers(); ++layer) {
    const Matrix<Scalar> w = network.weight(layer);
    shape += fmt::format("-{}", w.rows());
    const Index biases = network.bias(layer).size();
    biased += biases > 0;
    parameters += static_cast<double>(w.size() + biases);
  }
  const std::string biases = biased == network.layers() ? "biases"
                             : biased == 0              ? "no bias"
                                                        : fmt::format("biases in {} layers", biased);
  const std::string count = parameters < 1e5   ? fmt::format("{:.0f}", parameters)
                            : parameters < 1e6 ? fmt::format("{:.3g} thousand", parameters / 1e3)
                                               : fmt::format("{:.3g} M", parameters / 1e6);
  return fmt::format("{} {}, {}, {} parameters", shape, nets::info_of(network.options().activation).name, biases,
                     count);
}

template struct NetworkResult<float>;
template struct NetworkResult<double>;
template NetworkResult<float> run_network(const NetworkOptions&, const std::optional<ImportedNetwork<float>>&,
                                          const Split<float>&, const RunContext&);
template NetworkResult<double> run_network(const NetworkOptions&, const std::optional<ImportedNetwork<double>>&,
                                           const Split<double>&, const RunContext&);
template std::string describe_network(const nets::Mlp<float>&);
template std::string describe_network(const nets::Mlp<double>&);

}  // namespace ansatz::experiments
