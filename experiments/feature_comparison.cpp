#include "experiments/feature_comparison.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/machine/terminal.h"
#include "core/record/feature_ranking.h"
#include "core/record/fit_quality.h"
#include "core/record/json/run_record_json.h"
#include "core/run/input_digest.h"
#include "experiments/live_models.h"
#include "experiments/options/option_names.h"
#include "experiments/pictures/feature_pictures.h"
#include "experiments/results/feature_tables.h"
#include "experiments/results/summary_table.h"
#include "experiments/stages/tuning_stage.h"
#include "experiments/tuning_plan.h"
#include "viz/images/feature_image.h"

namespace ansatz::experiments {
namespace {

template <class Scalar>
struct Inputs {
  std::shared_ptr<const Split<Scalar>> split;
  std::optional<ImportedNetwork<Scalar>> network;
  InputDigest digest;
};

template <class Scalar>
void add_network(const std::string& name, const nets::Mlp<Scalar>& network, InputDigest& digest) {
  for (Index layer = 1; layer <= network.layers(); ++layer) {
    const Vector<Scalar> bias = network.bias(layer);
    digest.add<Scalar>(fmt::format("{}_W{}", name, layer), network.weight(layer));
    if (bias.size() > 0) digest.add<Scalar>(fmt::format("{}_b{}", name, layer), Matrix<Scalar>(bias));
  }
}

template <class Scalar>
InputDigest digest_of(const FeatureComparisonOptions& options, const Inputs<Scalar>& inputs) {
  InputDigest digest;
  digest.add(*inputs.split);
  digest.add_sources(options.dataset);
  if (!inputs.network) return digest;
  add_network("network", inputs.network->network, digest);
  if (inputs.network->initial) add_network("initial_network", *inputs.network->initial, digest);
  for (const auto* files : {&options.network->weights, &options.network->initial_weights})
    for (const std::filesystem::path& file : *files) digest.add_source(file);
  return digest;
}

template <class Scalar>
Inputs<Scalar> load_inputs(const FeatureComparisonOptions& options, const std::optional<TuneOptions>& tune,
                           const RandomStream& stream) {
  Inputs<Scalar> inputs;
  in_section("dataset", [&] {
    inputs.split =
        std::make_shared<const Split<Scalar>>(load_dataset<Scalar>(options.dataset, stream, viz::read_image_planes));
    bool blocks = options.rfm && options.rfm->blocks;
    if (tune)
      for (const FeatureComparisonOptions& cell : tune->cells) blocks |= cell.rfm && cell.rfm->blocks;
    if (blocks) rfm::require_one_hot_groups(inputs.split->train.column_groups);
  });
  if (options.network)
    inputs.network = in_section("network", [&] { return import_network(*options.network, *inputs.split); });
  inputs.digest = digest_of(options, inputs);
  return inputs;
}

template <class Scalar>
FeatureMatrix<Scalar> metric_of(Metric metric, const Results<Scalar>& results) {
  switch (metric) {
    case Metric::network:
      return results.network->nfm;
    case Metric::rfm:
      return results.rfm->features();
    case Metric::identity:
      break;
  }
  return FeatureMatrix<Scalar>::identity(results.split->train.dimension());
}

/// Puts the chosen cell's options in the place of `options`, and what was tried into the results.
template <class Scalar>
void tune_options(const TuneOptions& tune, const RunContext& run, Results<Scalar>& results,
                  FeatureComparisonOptions& options) {
  const std::function<FeatureMatrix<Scalar>(Metric)> metric = [&](Metric m) { return metric_of(m, results); };
  results.tuning = tune_model(tune, metric, *results.split, run);
  options = tune.cells[static_cast<std::size_t>(results.tuning->chosen)];
}

/// A tuned kernel machine may need the features of the others; they need nothing of it.
template <class Scalar>
Results<Scalar> run_stages(const std::optional<TuneOptions>& tune, const Inputs<Scalar>& inputs, const RunContext& run,
                           FeatureComparisonOptions& options) {
  const Split<Scalar>& split = *inputs.split;
  Results<Scalar> results;
  results.split = &split;
  const bool last = tune && tune->kind == TunedModel::kernel_machine;
  if (tune && !last) tune_options(*tune, run, results, options);
  if (options.network)
    results.network = in_section("network", [&] { return run_network(*options.network, inputs.network, split, run); });
  if (options.rfm) results.rfm = in_section("rfm", [&] { return run_rfm(*options.rfm, split, run); });
  if (last) tune_options(*tune, run, results, options);
  for (const KernelMachineOptions& machine : options.kernel_machines) {
    results.kernels.push_back(in_section("kernel_machines", [&] {
      return run_kernel_machine<Scalar>(
          machine, metric_of(machine.metric, results),
          [&](const rfm::KernelMachine<Scalar>& fitted, const Matrix<Scalar>& test_predictions) {
            save_kernel_machine(machine.label, fitted, test_predictions, options, split, run);
          },
          split, run);
    }));
  }
  const Stopwatch watch;
  results.comparison = in_section(
      "comparison", [&] { return compare_features(results.network, results.rfm, split.truth, options.comparison); });
  results.comparison_seconds = watch.seconds();
  return results;
}

/// The diagonals by name.
void write_feature_tables(const FeatureComparisonOptions& options, const RunRecord& record, const RunContext& run) {
  if (record.features.empty() || options.save.feature_matrices == SavedMatrices::none) return;
  run.directory.write_table("features.csv", features_csv(record));
  if (has_one_hot(record.data->column_groups)) run.directory.write_table("columns.csv", columns_csv(record));
}

/// metrics.json, the terminal and the pictures.
void show(const FeatureComparisonOptions& options, const RunRecord& record, const std::string& assumption,
          const RunContext& run) {
  for (const std::string& text : record.warnings) spdlog::warn("{}", text);
  // A wrong assumption makes all numbers wrong: it is said in quiet runs, too, which the logger is silent in.
  if (run.quiet && !assumption.empty()) std::fprintf(stderr, "warning: %s\n", assumption.c_str());
  run.directory.write_json("metrics.json", to_json(record));
  if (!run.quiet) std::fputs(summary_table(record, terminal_columns(STDOUT_FILENO)).c_str(), stdout);
  if (options.save.images) draw_pictures(record, run.directory.path() / "images");
}

template <class Scalar>
ComparedModels compare_models(FeatureComparisonOptions options, const std::optional<TuneOptions>& tune,
                              const Inputs<Scalar>& inputs, const RunContext& run) {
  inputs.digest.keep_in(run.directory);
  Results<Scalar> results = run_stages(tune, inputs, run, options);
  RunRecord record = record_of(options, results);
  record.config = run.directory.config();
  record.data->digest = inputs.digest.values();
  record.warnings = poor_fits(record);
  const std::string assumption = inputs.network ? inputs.network->warning : "";
  if (!assumption.empty()) record.warnings.insert(record.warnings.begin(), assumption);
  if (run.directory.finished()) {  // a part whose whole is not: what it wrote stands
    record_from_json(read_metrics(run.directory.path()));
  } else {
    save_arrays(options, results, run);
    write_feature_tables(options, record, run);
    show(options, record, assumption, run);
  }
  return {std::move(record), live_models(inputs.split, std::move(results.network), std::move(results.rfm))};
}

template <class Scalar>
std::function<ComparedModels(const RunContext&)> load(const FeatureComparisonOptions& options,
                                                      const std::optional<TuneOptions>& tune,
                                                      const RandomStream& stream) {
  const auto inputs = std::make_shared<const Inputs<Scalar>>(load_inputs<Scalar>(options, tune, stream));
  return [options, tune, inputs](const RunContext& run) { return compare_models(options, tune, *inputs, run); };
}

}  // namespace

std::function<ComparedModels(const RunContext&)> load_comparison(const FeatureComparisonOptions& options,
                                                                 const RandomStream& stream,
                                                                 const std::optional<TuneOptions>& tune) {
  return options.common.precision == Precision::float32 ? load<float>(options, tune, stream)
                                                        : load<double>(options, tune, stream);
}

PreparedExperiment prepare_feature_comparison(const Config& root, const CommonOptions& common) {
  const FeatureComparisonOptions options = parse_feature_comparison(root, common);
  const std::optional<TuneOptions> tune = parse_tune(root, options);
  PreparedExperiment prepared;
  prepared.plan = [options, tune] { return tune ? plan_tuned(options, *tune) : plan_feature_comparison(options); };
  prepared.load = [options, tune](const RandomStream& stream) {
    return [compare = load_comparison(options, stream, tune)](const RunContext& run) { compare(run); };
  };
  return prepared;
}

}  // namespace ansatz::experiments
