#include "experiments/results/results.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/files/files.h"
#include "experiments/stages/metrics_json.h"
#include "nets/checkpoints/checkpoint.h"

namespace ansatz::experiments {
namespace {

template <class Scalar>
bool is_reported(const FeatureId& id, const Results<Scalar>& results) {
  if (id.kind != FeatureId::Kind::rfm) return true;
  return id == results.rfm->feature_id() || id.iteration == results.rfm->trace.reported;
}

template <class Scalar>
Json data_json(const FeatureComparisonOptions& options, const Split<Scalar>& split) {
  Json json = {{"name", options.dataset.name},
               {"train_size", split.train.size()},
               {"validation_size", split.validation.size()},
               {"test_size", split.test.size()},
               {"dimension", split.train.dimension()},
               {"outputs", split.train.outputs()},
               {"task", split.train.task == Task::classification ? "classification" : "regression"}};
  if (!split.train.class_names.empty()) json["class_names"] = split.train.class_names;
  if (split.train.task == Task::classification) {
    const Matrix<Scalar>& codes = split.train.class_codes;
    json["class_coding"] = codes.size() > 0 ? "prevalence" : "one_hot";
    for (Index k = 0; k < codes.rows(); ++k)
      json["class_codes"].push_back(std::vector<Scalar>(codes.row(k).data(), codes.row(k).data() + codes.cols()));
  }
  if (const auto& shape = split.train.image_shape) json["image_shape"] = {shape->channels, shape->height, shape->width};
  if (!split.notes.empty()) json["notes"] = split.notes;
  if (split.truth) {
    json["truth"] = {{"description", split.truth->description}, {"target_variance", split.truth->target_variance}};
  }
  return json;
}

template <class Scalar>
Json network_json(const NetworkResult<Scalar>& network) {
  Json json = {{"description", describe_network(network.network)}};
  if (network.reported_epoch) json["reported_epoch"] = *network.reported_epoch;
  json.update(split_json(network.train, network.validation, network.test));
  Json epochs = Json::array();
  for (const nets::EpochRecord& record : network.history) epochs.push_back(to_json(record));
  if (!epochs.empty()) json["per_epoch"] = std::move(epochs);
  for (const Observation& observation : network.observations)
    json["observations"].push_back({{"epoch", observation.epoch}, {"seen", observation.seen.json()}});
  return json;
}

template <class Scalar>
Json rfm_json(const RfmResult<Scalar>& rfm) {
  const rfm::RfmIteration& reported = rfm.trace.iteration();
  Json json = {{"description", rfm.trace.machine().kernel().describe()},
               {"reported_iteration", rfm.trace.reported},
               {"feature_iteration", rfm.feature_iteration()}};
  json.update(split_json(reported.train, reported.validation, reported.test));
  for (const rfm::RfmIteration& iteration : rfm.trace.iterations) json["per_iteration"].push_back(to_json(iteration));
  return json;
}

Json kernel_json(const KernelMachineResult& kernel) {
  Json json = {{"description", kernel.kernel}};
  json.update(split_json(kernel.train, kernel.validation, kernel.test));
  json["solve"] = to_json(kernel.solve);
  return json;
}

template <class Scalar>
Json timings_json(const Results<Scalar>& results) {
  Json json = Json::object();
  if (results.network) {
    json["network_training_seconds"] = results.network->train_seconds;
    json["network_agop_seconds"] = results.network->agop_seconds;
  }
  if (results.rfm) {
    for (const rfm::RfmIteration& iteration : results.rfm->trace.iterations)
      json["rfm"].push_back(timing_json(iteration));
  }
  for (const KernelMachineResult& kernel : results.kernels)
    json["kernel_machines"][kernel.label] = timing_json(kernel.solve);
  json["comparison_seconds"] = results.comparison_seconds;
  return json;
}

template <class Scalar>
void save_weights(SavedWeights format, const NetworkResult<Scalar>& network, const RunDirectory& directory) {
  if (format == SavedWeights::none) return;
  const std::filesystem::path folder = directory.path() / "models";
  make_folder(folder);
  for (const auto& [name, model] :
       {std::pair("network", &network.network), std::pair("network.initial", &*network.initial)}) {
    if (format == SavedWeights::safetensors) {
      nets::write_safetensors(folder / (std::string(name) + ".safetensors"), *model);
    } else {
      nets::write_weights_npy(folder / name, *model);
    }
  }
}

std::string cell(const std::optional<Metrics>& metrics) {
  if (!metrics) return "-";
  return metrics->accuracy ? fmt::format("{:.2f} %", 100 * *metrics->accuracy) : fmt::format("{:.4f}", metrics->r2);
}

std::string model_row(const std::string& name, const std::optional<Metrics>& train,
                      const std::optional<Metrics>& validation, const std::optional<Metrics>& test,
                      const std::string& remark) {
  return fmt::format("{:<22} {:>10} {:>10} {:>10}   {}\n", name, cell(train), cell(validation), cell(test), remark);
}

template <class Scalar>
std::string models_table(const Results<Scalar>& r) {
  const bool classes = r.split->train.task == Task::classification;
  std::string text =
      fmt::format("\n{:<22} {:>10} {:>10} {:>10}\n", classes ? "accuracy" : "R²", "train", "validation", "test");
  if (r.network) {
    const std::string remark =
        r.network->reported_epoch ? fmt::format("epoch {}", *r.network->reported_epoch) : "imported";
    text += model_row("network", r.network->train, r.network->validation, r.network->test, remark);
  }
  if (r.rfm) {
    for (const rfm::RfmIteration& it : r.rfm->trace.iterations) {
      const std::string remark = it.iteration == r.rfm->trace.reported ? "reported" : "";
      text += model_row(fmt::format("rfm, iteration {}", it.iteration), it.train, it.validation, it.test, remark);
    }
  }
  for (const KernelMachineResult& k : r.kernels) text += model_row(k.label, k.train, k.validation, k.test, k.kernel);
  return text;
}

std::string comparison_row(const IdentifiedComparison& pair) {
  const FeatureComparison& c = pair.values;
  const double top = c.top_eigenvector_pearson.empty() ? 0 : c.top_eigenvector_pearson.front();
  double angle = std::numeric_limits<double>::quiet_NaN();
  for (const double a : c.principal_angles_deg) angle = std::isfinite(a) ? a : angle;  // NaN beyond the smaller rank
  return fmt::format("{:<36} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.1f}\n", pair.a.name() + " ~ " + pair.b.name(),
                     c.diagonal_pearson, top, c.matrix_pearson, c.off_diagonal_pearson, angle);
}

}  // namespace

template <class Scalar>
void save_arrays(const FeatureComparisonOptions& options, const Results<Scalar>& results, const RunContext& run) {
  const RunDirectory& directory = run.directory;
  const SavedMatrices which = options.save.feature_matrices;
  for (const IdentifiedFeatures<Scalar>& f : results.comparison.features) {
    if (which == SavedMatrices::none || (which == SavedMatrices::reported && !is_reported(f.id, results))) continue;
    directory.write_feature_matrix(f.id.name(), f.matrix(), f.summary.top().first(options.comparison.top_eigenvectors));
  }
  if (results.network && results.network->snapshot_epochs.size() > 1 && which != SavedMatrices::none) {
    directory.write_array("matrices/network.nfm.diagonal_by_epoch.npy", results.network->snapshot_diagonals);
    Matrix<Scalar> epochs(static_cast<Index>(results.network->snapshot_epochs.size()), 1);
    for (Index i = 0; i < epochs.rows(); ++i)
      epochs(i, 0) = static_cast<Scalar>(results.network->snapshot_epochs[static_cast<std::size_t>(i)]);
    directory.write_array("matrices/network.nfm.diagonal_epochs.npy", epochs);
  }
  if (options.save.predictions && !results.split->test.empty()) {
    if (results.network) directory.write_array("predictions/network.test.npy", results.network->test_predictions);
    if (results.rfm) directory.write_array("predictions/rfm.test.npy", results.rfm->test_predictions);
  }
  if (results.network && options.network->train) save_weights(options.save.weights, *results.network, directory);
}

template <class Scalar>
Json metrics_json(const FeatureComparisonOptions& options, const Results<Scalar>& results) {
  Json json = {{"schema", 1},
               {"experiment", options.common.experiment},
               {"name", options.common.name},
               {"seed", options.common.seed},
               {"conventions", conventions()},
               {"data", data_json(options, *results.split)},
               {"models", Json::object()},
               {"comparisons", Json::array()}};
  if (results.network) json["models"]["network"] = network_json(*results.network);
  if (results.rfm) json["models"]["rfm"] = rfm_json(*results.rfm);
  for (const KernelMachineResult& kernel : results.kernels) json["models"][kernel.label] = kernel_json(kernel);
  const ComparisonResult<Scalar>& comparison = results.comparison;
  if (comparison.has_headline)
    json["headline"] = {{"a", comparison.pairs.front().a.name()}, {"b", comparison.pairs.front().b.name()}};
  for (const IdentifiedComparison& pair : comparison.pairs)
    json["comparisons"].push_back(to_json(pair.values, pair.a.name(), pair.b.name()));
  for (const AnsatzVariant& variant : comparison.variants) json["ansatz_variants"].push_back(to_json(variant));
  if (comparison.evolution) {
    const FeatureEvolution& e = *comparison.evolution;
    json["evolution"] = {{"epochs", e.epochs},
                         {"diagonal_pearson_with_rfm", e.with_rfm},
                         {"diagonal_pearson_with_initial", e.with_initial},
                         {"diagonal_pearson_with_truth", e.with_truth}};
    if (!e.top_with_rfm.empty()) json["evolution"]["top_eigenvector_pearson_with_rfm"] = e.top_with_rfm;
  }
  json["timings"] = timings_json(results);
  return json;
}

template <class Scalar>
std::string summary_table(const Results<Scalar>& results) {
  std::string text = models_table(results);
  if (results.comparison.pairs.empty()) return text;
  text += fmt::format("\n{:<36} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "feature matrices", "diagonal", "top vec", "entries",
                      "off-diag", "angle");
  for (const IdentifiedComparison& pair : results.comparison.pairs) text += comparison_row(pair);
  return text +
         "(Pearson r of diagonals, of the top eigenvectors, of all entries, of those off the diagonal; largest "
         "principal angle in degrees)\n";
}

template void save_arrays(const FeatureComparisonOptions&, const Results<float>&, const RunContext&);
template void save_arrays(const FeatureComparisonOptions&, const Results<double>&, const RunContext&);
template Json metrics_json(const FeatureComparisonOptions&, const Results<float>&);
template Json metrics_json(const FeatureComparisonOptions&, const Results<double>&);
template std::string summary_table(const Results<float>&);
template std::string summary_table(const Results<double>&);

}  // namespace ansatz::experiments
