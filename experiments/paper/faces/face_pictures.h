// What celeba_features keeps of a task, and draws.
#pragma once

#include <optional>
#include <vector>

#include "experiments/parts.h"

namespace ansatz::experiments {

/// What the figures show of a feature matrix.
struct FaceFeatures {
  Vector<double> diagonal;
  Matrix<double> eigenvectors;  ///< k x d
  Vector<double> shares;        ///< eigenvalues by the trace
};

struct FaceDigest {
  ImageShape shape;
  FaceFeatures network, rfm;
  std::optional<FeatureEvolution> evolution;
  FeatureComparison likeness;
  Matrix<double> eigenvector_likeness;  ///< of all the network's with all the RFM's
  std::vector<Index> matches;           ///< of each of the network's eigenvectors, the RFM's
  double network_accuracy = 0, rfm_accuracy = 0, rfm_t_accuracy = 0;  ///< on test, %
  std::vector<Finding> findings;
};

/// Row: the network's task; column: the RFM's.
struct TaskLikeness {
  Matrix<double> diagonals, top_eigenvectors;
};

/// Top eigenvectors and diagonals (Figs 1, 2), a task a row.
Figure draw_features(const std::vector<Part>& parts, const std::vector<FaceDigest>& digests, const RunContext& run);
/// All eigenvectors compared (Fig. 15), a task a row.
Figure draw_eigenvectors(const std::vector<Part>& parts, const std::vector<FaceDigest>& digests, const RunContext& run);
/// Likeness over epochs; every digest has an evolution.
Figure draw_evolutions(const std::vector<Part>& parts, const std::vector<FaceDigest>& digests, const RunContext& run);
/// Task against task.
Figure draw_tasks(const std::vector<Part>& parts, const TaskLikeness& likeness, const RunContext& run);

}  // namespace ansatz::experiments
