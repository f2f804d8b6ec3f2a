#include "experiments/kernels/process_calibration.h"

#include <cmath>
#include <limits>

#include "core/linalg/linalg.h"
#include "experiments/theory/limit_curves.h"
#include "rfm/gaussian_process/calibration.h"
#include "rfm/gaussian_process/gaussian_process.h"
#include "rfm/pairs/kernel_matrix.h"

namespace ansatz::experiments {
namespace {

FeatureMatrix<double> identity(const Matrix<double>& x) { return FeatureMatrix<double>::identity(x.cols()); }

std::vector<double> shares_of(const Matrix<double>& targets, const Matrix<double>& mean,
                              const Vector<double>& variance) {
  std::vector<double> shares;
  for (const double level : kLevels) shares.push_back(rfm::coverage_of(targets, mean, variance, level).share);
  return shares;
}

}  // namespace

Matrix<double> prior_draws(const rfm::Kernel& kernel, const Matrix<double>& x, Index count,
                           const RandomStream& stream) {
  const EigenPairs<double> pairs = symmetric_eigenpairs(rfm::kernel_matrix<double>(kernel, identity(x), x));
  const Vector<double> scales = pairs.values.array().max(0.0).sqrt();
  return pairs.vectors.transpose() * scales.asDiagonal() * RandomStream(stream).normal_matrix<double>(x.rows(), count);
}

Calibration calibration_of(const std::vector<std::vector<double>>& shares) {
  Calibration result{kLevels, {}, {}};
  for (std::size_t level = 0; level < kLevels.size(); ++level) {
    std::vector<double> values;
    for (const std::vector<double>& trial : shares) values.push_back(trial[level]);
    const MeanOfTrials mean = mean_of_trials(values);
    result.shares.push_back(mean.mean);
    result.standard_errors.push_back(mean.standard_error.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  return result;
}

Calibration prior_calibration(const rfm::Kernel& kernel, const Matrix<double>& x, Index observed, double noise_variance,
                              Index trials, const RandomStream& stream) {
  const Index asked = x.rows() - observed;
  const Matrix<double> noise = stream.named("noise").normal_matrix<double>(x.rows(), trials);
  const Matrix<double> y =
      prior_draws(kernel, x, trials, stream.named("functions")) + std::sqrt(noise_variance) * noise;
  const Matrix<double> seen = x.topRows(observed), rest = x.bottomRows(asked);
  const rfm::GaussianProcess process(kernel, identity(x), seen, y.topRows(observed), noise_variance);
  const rfm::GaussianPosterior posterior = process.posterior(rest);
  std::vector<std::vector<double>> shares;
  for (Index t = 0; t < trials; ++t)
    shares.push_back(shares_of(y.col(t).tail(asked), posterior.mean.col(t), posterior.target_variance));
  return calibration_of(shares);
}

FittedProcess fit_process(const rfm::Kernel& kernel, const Split<double>& split,
                          const std::vector<double>& noise_variances) {
  FittedProcess best{0, {}};
  double greatest = -std::numeric_limits<double>::infinity();
  for (const double variance : noise_variances) {
    const rfm::GaussianProcess process(kernel, identity(split.train.inputs), split.train.inputs, split.train.targets,
                                       variance);
    const double likelihood = process.log_marginal_likelihood().sum();
    if (!(likelihood > greatest)) continue;
    const rfm::GaussianPosterior posterior = process.posterior(split.test.inputs);
    greatest = likelihood;
    best = {variance, shares_of(split.test.targets, posterior.mean, posterior.target_variance)};
  }
  return best;
}

}  // namespace ansatz::experiments
