// The figures of experiment depth_amplification.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/parts.h"
#include "experiments/results/score_findings.h"

namespace ansatz::experiments {

/// What is kept of the network of one depth.
struct DepthDigest {
  Index depth = 0;
  std::optional<ImageShape> shape;
  Matrix<double> corner;              ///< top left of W₁ᵀW₁
  Vector<double> nfm, learned, agop;  ///< diagonals of W₁ᵀW₁, (W₁−W₀)ᵀ(W₁−W₀) (or empty) and the centred AGOP
  double share = 0, agop_share = 0;  ///< of W₁ᵀW₁ and of the centred AGOP: in the subspace that matters, %
  double train_loss = 0;             ///< of the network, at the reported epoch
  std::vector<ModelScores> scores;
  Index test_rows = 0;
  std::vector<Finding> findings;
};

inline constexpr Index kCorner = 20;  ///< coordinates that corners and bars show

/// The score that depths are compared by.
Score main_score(const std::vector<DepthDigest>& digests);

/// Draws into `images`: of image data features_by_depth and sorted_diagonals (Figs 12 to 14), of others corners and
/// diagonals_by_depth (Fig. 10a, b); scores_by_depth (Figs 10c, 11).
std::vector<Figure> draw_depths(const std::vector<DepthDigest>& digests, const std::filesystem::path& images);

}  // namespace ansatz::experiments
