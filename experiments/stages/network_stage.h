// The network of a comparison: trained here (with checkpoints) or imported; then its feature matrices.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/record/run_record.h"
#include "experiments/options/options.h"
#include "experiments/stages/imported_network.h"
#include "experiments/stages/run_context.h"

namespace ansatz::experiments {

template <class Scalar>
struct NetworkResult {
  explicit NetworkResult(nets::Mlp<Scalar> reported) : network(std::move(reported)) {}

  nets::Mlp<Scalar> network;                 ///< the reported one
  std::optional<nets::Mlp<Scalar>> initial;  ///< absent for an imported network without initial_weights
  std::string reading;                       ///< what its file was read as; empty if trained
  std::vector<EpochRecord> history;          ///< empty if imported
  std::optional<Index> reported_epoch;
  Metrics train;
  std::optional<Metrics> validation, test;
  std::optional<Metrics> last_test;                  ///< after the last epoch, which need not be the reported one
  Matrix<Scalar> test_predictions;                   ///< n_test x c
  FeatureMatrix<Scalar> nfm, agop, agop_centered;    ///< W₁ᵀW₁ and the AGOPs at the reported epoch
  std::optional<FeatureMatrix<Scalar>> initial_nfm;  ///< W₀ᵀW₀
  LayerVariants deeper_layers;                       ///< of the layers after the first, if asked for
  std::vector<Index> snapshot_epochs;                ///< epochs of ...
  Matrix<Scalar> snapshot_diagonals;                 ///< ... diag(W₁ᵀW₁), one a row
  Matrix<Scalar> snapshot_eigenvectors;              ///< ... its top eigenvector, one a row; empty if not asked for
  std::vector<Observation> observations;             ///< by epoch
  double train_seconds = 0, agop_seconds = 0;

  /// diag((W₁−W₀)ᵀ(W₁−W₀)), what training added; empty without `initial`. Initial weights of PyTorch's size are as
  /// large everywhere and hide it in W₁ᵀW₁ where d is large.
  Vector<double> learned_diagonal() const;
};

/// Takes `imported`, or trains: throws what training throws; saves state on the way and on interruption.
template <class Scalar>
NetworkResult<Scalar> run_network(const NetworkOptions& options, const std::optional<ImportedNetwork<Scalar>>& imported,
                                  const Split<Scalar>& split, const RunContext& run);

/// "784-1024-1024-10 relu, no bias, 1.9 M parameters". Layers count as they are once normalisations are folded in.
template <class Scalar>
std::string describe_network(const nets::Mlp<Scalar>& network);

}  // namespace ansatz::experiments
