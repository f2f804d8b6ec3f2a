#include "experiments/feature_comparison.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "experiments/options/option_names.h"
#include "experiments/pictures/feature_pictures.h"
#include "experiments/results/constant_baseline.h"
#include "experiments/results/results.h"
#include "experiments/stages/comparison_stage.h"
#include "experiments/stages/kernel_stages.h"
#include "experiments/stages/network_stage.h"
#include "viz/images/feature_image.h"

namespace ansatz::experiments {

namespace {

template <class Scalar>
void add_network(const std::string& name, const nets::Mlp<Scalar>& network, DataDigest& digest) {
  for (Index layer = 1; layer <= network.layers(); ++layer) {
    const Vector<Scalar> bias = network.bias(layer);
    digest.add<Scalar>(fmt::format("{}_W{}", name, layer), network.weight(layer));
    if (bias.size() > 0) digest.add<Scalar>(fmt::format("{}_b{}", name, layer), Matrix<Scalar>(bias));
  }
}

template <class Scalar>
DataDigest digest_of(const FeatureComparisonOptions& options, const ComparisonInputs<Scalar>& inputs) {
  DataDigest digest;
  digest.add(inputs.split);
  digest.add_sources(options.dataset);
  if (!inputs.network) return digest;
  add_network("network", inputs.network->network, digest);
  if (inputs.network->initial) add_network("initial_network", *inputs.network->initial, digest);
  for (const auto* files : {&options.network->weights, &options.network->initial_weights})
    for (const std::filesystem::path& file : *files) digest.add_source(file);
  return digest;
}

}  // namespace

template <class Scalar>
ComparisonInputs<Scalar> load_inputs(const FeatureComparisonOptions& options, const RandomStream& stream) {
  ComparisonInputs<Scalar> inputs;
  in_section("dataset", [&] {
    inputs.split = load_dataset<Scalar>(options.dataset, stream, viz::read_image_planes);
    if (options.rfm && options.rfm->blocks) rfm::require_one_hot_groups(inputs.split.train.column_groups);
  });
  if (options.network)
    inputs.network = in_section("network", [&] { return import_network(*options.network, inputs.split); });
  inputs.digest = digest_of(options, inputs);
  return inputs;
}

namespace {

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

}  // namespace

template <class Scalar>
Results<Scalar> compare_models(const FeatureComparisonOptions& options, const ComparisonInputs<Scalar>& inputs,
                               const RunContext& run, const NetworkObserver<Scalar>& observer) {
  inputs.digest.keep_in(run.directory);
  const Split<Scalar>& split = inputs.split;
  Results<Scalar> results;
  results.split = &split;
  if (options.network)
    results.network =
        in_section("network", [&] { return run_network(*options.network, inputs.network, split, run, observer); });
  if (options.rfm) results.rfm = in_section("rfm", [&] { return run_rfm(*options.rfm, split, run); });
  for (const KernelMachineOptions& machine : options.kernel_machines) {
    results.kernels.push_back(in_section("kernel_machines", [&] {
      return run_kernel_machine(machine, metric_of(machine.metric, results), options.save.predictions, split, run);
    }));
  }
  const Stopwatch watch;
  results.comparison = in_section(
      "comparison", [&] { return compare_features(results.network, results.rfm, split.truth, options.comparison); });
  results.comparison_seconds = watch.seconds();

  if (run.directory.finished()) {  // a part whose whole is not: what it wrote stands
    read_metrics(run.directory.path()).at("models");
    return results;
  }
  save_arrays(options, results, run);
  Json metrics = metrics_json(options, results);
  metrics["data"]["digest"] = inputs.digest.values();
  for (const std::string& text : beaten_by_a_constant(results)) {
    spdlog::warn("{}", text);
    metrics["warnings"].push_back(text);
  }
  run.directory.write_json("metrics.json", metrics);
  if (!run.quiet) std::fputs(summary_table(results).c_str(), stdout);
  if (options.save.images) {
    draw_pictures(results.network, results.rfm, results.kernels, results.comparison, split,
                  options.comparison.top_eigenvectors, run);
  }
  return results;
}

namespace {

template <class Scalar>
std::function<void(const RunContext&)> load(const FeatureComparisonOptions& options, const RandomStream& stream) {
  const auto inputs = std::make_shared<const ComparisonInputs<Scalar>>(load_inputs<Scalar>(options, stream));
  return [options, inputs](const RunContext& run) { compare_models(options, *inputs, run); };
}

}  // namespace

PreparedExperiment prepare_feature_comparison(const Config& root, const CommonOptions& common) {
  const FeatureComparisonOptions options = parse_feature_comparison(root, common);
  PreparedExperiment prepared;
  prepared.plan = [options] { return plan_feature_comparison(options); };
  prepared.load = [options](const RandomStream& stream) {
    return options.common.precision == Precision::float32 ? load<float>(options, stream)
                                                          : load<double>(options, stream);
  };
  return prepared;
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                          \
  template ComparisonInputs<Scalar> load_inputs(const FeatureComparisonOptions&, const RandomStream&);      \
  template Results<Scalar> compare_models(const FeatureComparisonOptions&, const ComparisonInputs<Scalar>&, \
                                          const RunContext&, const NetworkObserver<Scalar>&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)

}  // namespace ansatz::experiments
