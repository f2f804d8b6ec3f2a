#include <utility>

#include "core/files/files.h"
#include "experiments/prediction/model_files.h"
#include "experiments/results/results.h"
#include "nets/checkpoints/checkpoint.h"

namespace ansatz::experiments {
namespace {

template <class Scalar>
bool is_reported(const FeatureId& id, const Results<Scalar>& results) {
  if (id.kind != FeatureId::Kind::rfm) return true;
  return id == results.rfm->feature_id() || id.iteration == results.rfm->trace.reported;
}

template <class Scalar>
void save_weights(SavedWeights format, const NetworkResult<Scalar>& network, const RunDirectory& directory) {
  if (format == SavedWeights::none) return;
  const std::filesystem::path folder = directory.path() / "models";
  make_folder(folder);
  for (const auto& [name, model] : {std::pair("network", &network.network),
                                    std::pair("network.initial", network.initial ? &*network.initial : nullptr)}) {
    if (model == nullptr) continue;  // of a network trained elsewhere
    if (format == SavedWeights::safetensors) {
      nets::write_safetensors(folder / (std::string(name) + ".safetensors"), *model);
    } else {
      nets::write_weights_npy(folder / name, *model);
    }
  }
}

/// models/, but for the weights.
template <class Scalar>
void save_models(const FeatureComparisonOptions& options, const Results<Scalar>& results,
                 const RunDirectory& directory) {
  if (!options.save.models) return;
  if (results.rfm) save_machine("rfm", results.rfm->trace.machine(), *results.split, options, directory);
  if (results.network) save_network_data(results.network->network.options().activation, *results.split, directory);
}

}  // namespace

template <class Scalar>
void save_arrays(const FeatureComparisonOptions& options, const Results<Scalar>& results, const RunContext& run) {
  const RunDirectory& directory = run.directory;
  const SavedMatrices which = options.save.feature_matrices;
  for (const IdentifiedFeatures<Scalar>& f : results.comparison.features) {
    if (which == SavedMatrices::none || (which == SavedMatrices::reported && !is_reported(f.id, results))) continue;
    directory.write_feature_matrix(f.id.name(), f.matrix(), f.summary.top().first(options.comparison.top_eigenvectors),
                                   options.save.matrix_files);
  }
  if (results.network && results.network->snapshot_epochs.size() > 1 && which != SavedMatrices::none) {
    directory.write_array("matrices/network.nfm.diagonal_by_epoch.npy", results.network->snapshot_diagonals);
    Matrix<Scalar> epochs(static_cast<Index>(results.network->snapshot_epochs.size()), 1);
    for (Index i = 0; i < epochs.rows(); ++i)
      epochs(i, 0) = static_cast<Scalar>(results.network->snapshot_epochs[static_cast<std::size_t>(i)]);
    directory.write_array("matrices/network.nfm.diagonal_epochs.npy", epochs);
  }
  if (options.save.predictions && !results.split->test.empty()) {
    const TargetScaling& scaling = results.split->test.target_scaling;
    const auto write = [&](const char* file, const Matrix<Scalar>& predictions) {
      directory.write_array(file, scaling.to_original(predictions));
    };
    if (results.network) write("predictions/network.test.npy", results.network->test_predictions);
    if (results.rfm) write("predictions/rfm.test.npy", results.rfm->test_predictions);
  }
  if (results.network) save_weights(options.save.weights, *results.network, directory);
  save_models(options, results, directory);
}

template <class Scalar>
void save_kernel_machine(const std::string& label, const rfm::KernelMachine<Scalar>& machine,
                         const Matrix<Scalar>& test_predictions, const FeatureComparisonOptions& options,
                         const Split<Scalar>& split, const RunContext& run) {
  if (options.save.predictions && test_predictions.size() > 0)
    run.directory.write_array("predictions/" + label + ".test.npy",
                              split.test.target_scaling.to_original(test_predictions));
  if (options.save.models) save_machine(label, machine, split, options, run.directory);
}

#define ANSATZ_INSTANTIATE(Scalar)                                                                                \
  template void save_arrays(const FeatureComparisonOptions&, const Results<Scalar>&, const RunContext&);          \
  template void save_kernel_machine(const std::string&, const rfm::KernelMachine<Scalar>&, const Matrix<Scalar>&, \
                                    const FeatureComparisonOptions&, const Split<Scalar>&, const RunContext&);
ANSATZ_INSTANTIATE(float)
ANSATZ_INSTANTIATE(double)
#undef ANSATZ_INSTANTIATE

}  // namespace ansatz::experiments
