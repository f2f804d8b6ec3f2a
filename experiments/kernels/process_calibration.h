// Whether the intervals of Gaussian processes hold the share of observations that they promise.
#pragma once

#include <vector>

#include "core/base/random.h"
#include "core/data/dataset.h"
#include "rfm/kernels/kernel.h"

namespace ansatz::experiments {

/// Of central intervals at several levels: the share of observations within, as the mean over trials.
struct Calibration {
  std::vector<double> levels;
  std::vector<double> shares, standard_errors;  ///< over trials, whose observations hang together; one a level
};

inline const std::vector<double> kLevels = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95};

/// Draws of f ~ GP(0, K) at the rows of x (n x d), n x count.
Matrix<double> prior_draws(const rfm::Kernel& kernel, const Matrix<double>& x, Index count, const RandomStream& stream);

/// `trials` functions drawn from the kernel's own prior at the rows of x, all seen with that noise: the process
/// observes the first rows and is asked about the others.
Calibration prior_calibration(const rfm::Kernel& kernel, const Matrix<double>& x, Index observed, double noise_variance,
                              Index trials, const RandomStream& stream);

/// One data set: the shares at the levels, and the noise variance of greatest marginal likelihood, of those tried.
struct FittedProcess {
  double noise_variance;
  std::vector<double> shares;
};
FittedProcess fit_process(const rfm::Kernel& kernel, const Split<double>& split,
                          const std::vector<double>& noise_variances);

/// From the shares of each trial.
Calibration calibration_of(const std::vector<std::vector<double>>& shares);

}  // namespace ansatz::experiments
