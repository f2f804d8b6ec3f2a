// What an experiment wants seen of a network while it trains (options.observed). It chooses nothing.
#pragma once

#include <set>

#include "core/record/run_record.h"
#include "experiments/options/options.h"
#include "experiments/stages/run_context.h"

namespace ansatz::experiments {

template <class Scalar>
class NetworkObserver {
 public:
  /// The split outlives the observer.
  NetworkObserver(const NetworkOptions& options, const Split<Scalar>& split, const RunContext& run);
  bool due(const EpochRecord& epoch) const;
  Seen observe(const nets::Mlp<Scalar>& now, const nets::Mlp<Scalar>& initial) const;

 private:
  Observed observed_;
  Loss loss_;
  const Split<Scalar>& split_;
  std::vector<Index> watched_;  ///< input coordinates
  std::set<Index> epochs_;      ///< those of the snapshots
  Matrix<Scalar> points_;       ///< of the gradient outer products

  Generalization generalization(const nets::Mlp<Scalar>& now, const nets::Mlp<Scalar>& initial) const;
};

/// Epochs 0..epochs, about `count` of them, denser early on (where features move), always with both ends.
std::set<Index> snapshot_epochs(Index epochs, Index count);

/// The training inputs over which the network's gradient outer products are taken, m x d.
template <class Scalar>
Matrix<Scalar> gradient_points(const NetworkOptions& options, const Split<Scalar>& split, const RunContext& run);

}  // namespace ansatz::experiments
