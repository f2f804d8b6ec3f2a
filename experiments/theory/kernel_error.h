// The test error of one kernel machine on a made target.
#pragma once

#include "core/data/dataset.h"
#include "rfm/kernels/kernel.h"

namespace ansatz::experiments {

/// 1 - R^2 on test.
double one_minus_r2(const Matrix<double>& predictions, const Dataset<double>& test);

/// The same of the kernel under M fitted to the training rows.
double kernel_error(const rfm::KernelSpec& kernel, const FeatureMatrix<double>& metric, const Split<double>& split,
                    double ridge);

/// The target's exact E[grad f grad f^T], scaled to trace d, as is the identity.
FeatureMatrix<double> known_metric(const Split<double>& split);

}  // namespace ansatz::experiments
