// Training in the span of the inputs. The gradients of W_1 are combinations of the n input rows, so that SGD never
// leaves W_1(0) + span(X). For n < d, training there is cheaper.
#pragma once

#include <ATen/ATen.h>

#include "core/base/matrix.h"
#include "nets/stack.h"

namespace ansatz::nets::detail {

/// Let X = L Q, where the rows of Q (r x d) are orthonormal. Then W_1 x = (W_1 Q^T) l for every row x of X and its row
/// l of L. As Q is an isometry, a step of SGD (momentum included) on V = W_1 Q^T (k x r) with the inputs L is the same
/// as the step on W_1 with the inputs X. This does not hold for Adam and AdamW, which scale coordinates, nor with
/// weight decay, which shrinks what lies outside of the span.
struct InputSpan {
  at::Tensor basis;          ///< Q, r x d
  at::Tensor coordinates;    ///< L, r x r: the training rows, then the validation rows
  at::Tensor start_in_span;  ///< W_1 Q^T at the start, k x r

  /// `start`: W_1 before training, k x d.
  InputSpan(const at::Tensor& basis, const at::Tensor& coordinates, const at::Tensor& start);

  /// Replaces the stack's W_1 by V.
  Stack project(Stack stack) const;
  /// Replaces the stack's V by W_1 = W_1(0) + (V - V(0)) Q.
  Stack lift(Stack stack, const at::Tensor& start) const;
};

}  // namespace ansatz::nets::detail
