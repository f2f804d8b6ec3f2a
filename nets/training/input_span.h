// Training in the span of the inputs: for n < d the gradients of W_1 are combinations of the n input rows, so that SGD
// never leaves W_1(0) + span(X).
#pragma once

#include <ATen/ATen.h>

#include "core/base/matrix.h"
#include "nets/stack.h"

namespace ansatz::nets::detail {

/// With X = L Q (r x d, rows of Q orthonormal) W_1 x = (W_1 Q^T) l for every row x of X and its row l of L, and as Q
/// is an isometry a step of SGD, with momentum too, on V = W_1 Q^T (k x r) at the inputs L is the step on W_1 at X.
/// Adam scales coordinates and weight decay shrinks what lies outside of the span, so neither is the same there.
struct InputSpan {
  at::Tensor basis;          ///< Q, r x d
  at::Tensor coordinates;    ///< L, r x r: the training rows, then the validation rows
  at::Tensor start_in_span;  ///< W_1 Q^T at the start, k x r

  /// `start`: W_1 before training, k x d.
  InputSpan(const at::Tensor& basis, const at::Tensor& coordinates, const at::Tensor& start);

  /// `stack` with V for its W_1.
  Stack project(Stack stack) const;
  /// `stack` with W_1 = W_1(0) + (V - V(0)) Q for its V.
  Stack lift(Stack stack, const at::Tensor& start) const;
};

}  // namespace ansatz::nets::detail
