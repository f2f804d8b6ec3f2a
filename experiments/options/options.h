// What a config file says, as typed values. Parsed (and fully checked) before any work starts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/config/config.h"
#include "core/data/loading/load_dataset.h"
#include "core/features/comparison.h"
#include "core/run/matrix_files.h"
#include "nets/checkpoints/checkpoint.h"
#include "nets/mlp.h"
#include "nets/training/trainer.h"
#include "rfm/rfm.h"

namespace ansatz::experiments {

enum class Precision { float32, float64 };

inline constexpr Index kMostEigenvectors = 1000;  ///< compared and drawn
inline constexpr std::size_t kLongestName = 100;  ///< bytes of what becomes part of file names, which end at 255

/// The keys every experiment shares.
struct CommonOptions {
  std::string experiment;
  std::string name;  ///< default: the config file's stem; the run lands in runs/<name>
  std::uint64_t seed = 0;
  Index repeats = 1;  ///< runs with seeds seed, seed+1, ...; mean and standard deviation over them
  Precision precision = Precision::float32;
  nets::Device device = nets::Device::cpu;
  int threads = 0;  ///< 0: one per core
  bool report = true;
};

/// What an experiment wants seen of the network while it trains: how it generalises, or the variants of the Neural
/// Feature Ansatz for each layer.
enum class Observed { nothing, generalization, ansatz_by_layer };

/// The layers whose W'W is compared with the AGOP of the network as a function of their input.
enum class ComparedLayers { first, all };

struct NetworkOptions {
  bool train = true;
  nets::MlpOptions architecture;
  nets::TrainOptions training;
  std::vector<std::filesystem::path> weights;          ///< imported network (train: false): .npy a layer, or one file
  std::vector<std::filesystem::path> initial_weights;  ///< its W_0, for the baseline; optional
  nets::KnownLayers known;                             ///< what the config says of what is in these files
  std::string layer_names_key;                         ///< "file.yaml:12:3: network.layer_names", for messages
  std::filesystem::path reference_outputs;             ///< .npy: what the network gives elsewhere; empty: not known
  std::filesystem::path reference_inputs;              ///< .npy: at these inputs; empty: at the test rows
  Index gradient_samples = 0;                          ///< points of the network's AGOP; 0: all training inputs
  Index snapshots = 40;  ///< epochs at which the diagonal of W₁ᵀW₁ is kept for the animation; 0: none
  bool snapshot_eigenvectors = false;     ///< and its top eigenvector
  Observed observed = Observed::nothing;  ///< the experiment's, no key of the config
  /// With generalization: which coordinates of images of that shape have their share of W₁ seen.
  std::function<std::vector<Index>(const ImageShape&)> watched;
  ComparedLayers layers = ComparedLayers::first;  ///< comparison.layers
};

/// M of a fixed kernel: the identity, W₁ᵀW₁ of the network of the same comparison, or the features its RFM learned.
enum class Metric { identity, network, rfm };

struct KernelMachineOptions {
  std::string label;
  Metric metric = Metric::identity;
  rfm::KernelSpec kernel;
  rfm::SolverOptions solver;
};

enum class SavedMatrices { none, reported, all };
enum class SavedWeights { none, safetensors, npy };

struct SaveOptions {
  SavedMatrices feature_matrices = SavedMatrices::reported;
  MatrixFiles matrix_files = MatrixFiles::smaller;
  bool predictions = true;
  SavedWeights weights = SavedWeights::safetensors;
  bool models = true;  ///< what `ansatz predict` needs, besides the weights
  bool images = true;
};

struct FeatureComparisonOptions {
  CommonOptions common;
  DatasetOptions dataset;
  std::string dataset_yaml;  ///< the resolved section that parse_dataset reads as `dataset` again
  std::optional<NetworkOptions> network;
  std::optional<rfm::RfmOptions> rfm;
  std::vector<KernelMachineOptions> kernel_machines;
  ComparisonOptions comparison;
  SaveOptions save;
};

CommonOptions parse_common(const Config& root, const std::string& default_name);
/// `attribute`: what celeba tells apart where an experiment has several of them; empty: the section says it.
/// `validation_fraction`: the default of that key.
DatasetOptions parse_dataset(const Config& section, const std::string& attribute = "",
                             double validation_fraction = 0.2);
/// Beside an imported network: its outputs are in a unit of their own, so that auto scales no targets there and
/// standardize is refused.
void keep_unit_of_network(const Config& section, DatasetOptions& dataset);
LowRankOptions parse_low_rank(const Config& section);  ///< the keys of a low-rank target alone
/// Whether the section names a network trained elsewhere.
bool is_imported(const Config& network);
/// `gradient_samples` is the fallback for the section's own key.
NetworkOptions parse_network(const Config& section, nets::Device device, Index gradient_samples);
rfm::RfmOptions parse_rfm(const Config& section);
/// The keys of the kernel and the solver alone: an RFM without feature updates.
rfm::RfmOptions parse_fixed_kernel(const Config& section);
SaveOptions parse_save(const Config& section);
/// The whole file of a feature_comparison. Throws ConfigError; the caller calls root.finish().
FeatureComparisonOptions parse_feature_comparison(const Config& root, const CommonOptions& common);
/// One of several comparisons: the sections dataset, network, rfm, kernel_machines and comparison are `part`'s where it
/// has them. `attribute`: as for parse_dataset.
FeatureComparisonOptions parse_feature_comparison(const Config& root, const Config& part, const CommonOptions& common,
                                                  const std::string& attribute);

}  // namespace ansatz::experiments
