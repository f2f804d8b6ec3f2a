// What a run found, as plain values in double. The stages make it; metrics.json, tables, pictures, the report and the
// summaries over several runs are made from it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/config/config_value.h"
#include "core/data/dataset.h"
#include "core/features/ansatz_variants.h"
#include "core/features/feature_id.h"
#include "core/record/benchmark/benchmark_record.h"
#include "core/record/epoch_record.h"
#include "core/record/findings/findings_record.h"
#include "core/record/generalization.h"
#include "core/record/rfm_iteration.h"
#include "core/record/tuning_record.h"

namespace ansatz {

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

/// The data as the run used them.
struct DataRecord {
  std::string name;
  Index train_size = 0, validation_size = 0, test_size = 0;
  Index dimension = 0, outputs = 0;
  Task task = Task::regression;
  std::vector<std::string> class_names;
  Matrix<double> class_codes;  ///< classes x c; empty: one-hot, or regression
  std::optional<ImageShape> image_shape;
  std::vector<std::string> notes;  ///< what was done to the data
  struct Truth {
    std::string description;
    double target_variance = 0;
  };
  std::optional<Truth> truth;         ///< of a synthetic target
  NamedTexts digest;                  ///< shape, type and checksum of every array
  TargetScaling target_scaling = {};  ///< of a regression: models saw and predicted scaled targets
  /// Of the best constant (experiments/results/constant_baseline.h) on the test rows, or, without any, the validation
  /// rows.
  std::optional<Metrics> constant = {};
  std::vector<std::string> feature_names = {};  ///< d, where the inputs have names of their own; or empty

  // Not in metrics.json.
  std::vector<ColumnGroup> column_groups = {};  ///< as in the Dataset
};

/// What was seen of the network while it trained: how it generalises, or, for each layer, the variants of the Neural
/// Feature Ansatz.
using LayerVariants = std::vector<std::vector<AnsatzVariant>>;
using Seen = std::variant<Generalization, LayerVariants>;
struct Observation {
  Index epoch = 0;
  Seen seen;
};

struct NetworkRecord {
  std::string description;              ///< "784-1024-10 relu, no bias, 0.8 M parameters"
  std::string reading;                  ///< what the file of an imported one was read as
  std::optional<Index> reported_epoch;  ///< none: imported
  SplitMetrics metrics;                 ///< at the reported epoch
  std::vector<EpochRecord> epochs;      ///< empty: imported
  std::vector<Observation> observations;
  double train_seconds = 0, agop_seconds = 0;

  // Not in metrics.json.
  std::vector<Index> snapshot_epochs;  ///< epochs of ...
  Matrix<double> snapshot_diagonals;   ///< ... diag(W₁ᵀW₁), one a row
  Vector<double> learned_diagonal;  ///< diag((W₁−W₀)ᵀ(W₁−W₀)), what training added; empty: W₀ is not known
};

struct RfmRecord {
  std::string description;               ///< the kernel's formula
  std::vector<RfmIteration> iterations;  ///< 0..T
  Index reported = 0;                    ///< iteration
  Index feature_iteration = 0;           ///< the one whose M stands for the features that the RFM learned

  const RfmIteration& reported_iteration() const { return iterations[static_cast<std::size_t>(reported)]; }
  FeatureId feature_id() const { return FeatureId::rfm(feature_iteration); }
};

/// A fixed kernel.
struct KernelMachineRecord {
  std::string label, description;  ///< description: the kernel's formula with parameters
  SplitMetrics metrics;
  SolveSummary solve;
};

/// What tables and pictures show of a feature matrix. Not in metrics.json: matrices/ has it.
struct FeatureRecord {
  FeatureId id;
  Vector<double> diagonal;  ///< d
  double trace = 0;
  Vector<double> eigenvalues;   ///< the largest, descending
  Matrix<double> eigenvectors;  ///< of the first k of them, k x d
  Matrix<double> corner;        ///< the whole matrix up to d = kWholeMatrix, else its top-left block; empty: not shown
};
inline constexpr Index kWholeMatrix = 1024, kMatrixCorner = 32;
inline constexpr Index kSpectrumLength = 20;  ///< eigenvalues that spectra show

/// What the diagonals of some feature matrices give to one input coordinate, or to one variable.
struct RankedFeature {
  std::string name;
  Index first = 0;             ///< its (first) coordinate, from 0
  std::vector<double> shares;  ///< of the trace, a matrix; NaN if the trace is 0
  std::vector<Index> ranks;    ///< from 1, a matrix; equal entries share a rank
};

/// What eigenvectors of some feature matrices give to one input coordinate.
struct LoadedFeature {
  std::string name;
  Index first = 0;               ///< its coordinate, from 0
  std::vector<double> loadings;  ///< entries of vectors of length 1, a matrix; NaN: it has no such vector
};

/// The eigenvectors of the same number of some feature matrices.
struct RankedEigenvector {
  Index number = 1;                     ///< 1: of the largest eigenvalue
  std::vector<double> shares;           ///< eigenvalue / trace, a matrix
  std::vector<LoadedFeature> features;  ///< by the first matrix, the largest in size first
};

/// The largest entries of diagonals and leading eigenvectors by name.
struct FeatureRanking {
  std::vector<FeatureId> matrices;                   ///< the network's, the RFM's, the truth: those that there are
  std::vector<RankedFeature> by_feature;             ///< by the first matrix, descending
  std::vector<RankedFeature> by_column;              ///< sums over one-hot columns; empty where there are none
  std::vector<RankedEigenvector> eigenvectors = {};  ///< the leading ones, as far as any has a share worth naming
};
inline constexpr std::size_t kRankedFeatures = 20;  ///< the longest list

struct FeaturePair {
  FeatureId a, b;
  FeatureComparison values;
};

/// Pearson r of diag(W₁ᵀW₁) at each kept epoch with the RFM's diagonal and with its own initial value; |r| of its top
/// eigenvector with the RFM's (empty where these were not kept or there is no RFM).
struct FeatureEvolution {
  std::vector<double> epochs, with_rfm, with_initial, with_truth;  ///< NaN where there is nothing to compare with
  std::vector<double> top_with_rfm;
};

struct RunRecord {
  std::string experiment, name;
  std::uint64_t seed = 0;
  NamedTexts conventions;
  std::optional<ConfigValue> config;  ///< resolved; of a part that of the whole; none: written by an earlier version

  // A comparison of models: `data` is there.
  std::optional<DataRecord> data;
  std::optional<NetworkRecord> network;
  std::optional<RfmRecord> rfm;
  std::vector<KernelMachineRecord> kernel_machines;
  std::vector<FeatureRecord> features;  ///< in order of importance
  std::vector<FeaturePair> pairs;       ///< the most telling first
  bool has_headline = false;            ///< pairs[0] is network against RFM
  std::optional<FeatureRanking> top_features;
  /// Of a synthetic target: how much of each feature matrix lies in the subspace that it depends on, tr(U M Uᵀ)/tr M.
  std::vector<std::pair<FeatureId, double>> subspace_shares;
  std::vector<AnsatzVariant> variants;
  LayerVariants variants_by_layer;  ///< first layer first; empty: not asked for, or a single layer
  std::optional<FeatureEvolution> evolution;
  std::optional<TuningRecord> tuning;
  double comparison_seconds = 0;
  std::vector<std::string> warnings;  ///< what a reader is to know before any number

  std::optional<BenchmarkRecord> benchmark;  ///< of many sets, or of the one set of a part

  // An experiment of its own kind.
  std::optional<FindingsRecord> findings;
  std::vector<Figure> figures;
  std::vector<std::string> parts;  ///< names of the runs it is made of, in parts/

  const FeatureRecord* find(const FeatureId& id) const;  ///< null: there is none
  const FeaturePair* find_pair(const FeatureId& a, const FeatureId& b) const;
  double subspace_share(const FeatureId& id) const;  ///< NaN: there is none
};

struct ModelScores {
  std::string model;  ///< "network", "rfm", or the label of a kernel machine
  SplitMetrics metrics;
};
/// Of the network, the RFM's reported iteration and the kernel machines, in this order.
std::vector<ModelScores> scores_of(const RunRecord& record);

}  // namespace ansatz
