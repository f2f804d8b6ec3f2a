// The loss of a network's outputs and its gradient in them.
#pragma once

#include <ATen/ATen.h>

#include "core/data/metrics.h"

namespace ansatz::nets::detail {

/// The gradient of scale * S in f (b x c), S being the sum over rows (and outputs, of mse) whose mean is the loss:
/// 2 scale (f - y), or scale (softmax f - y) for one-hot y. Into g (b x c); S is added to `sum`, a double on the
/// device.
void output_gradient(Loss loss, const at::Tensor& f, const at::Tensor& y, double scale, at::Tensor& g, at::Tensor& sum);

/// How many terms that sum has: the mean loss is the sum over this.
double loss_terms(Loss loss, Index rows, Index outputs);

}  // namespace ansatz::nets::detail
