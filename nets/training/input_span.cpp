#include "nets/training/input_span.h"

namespace ansatz::nets::detail {

InputSpan::InputSpan(const at::Tensor& basis, const at::Tensor& coordinates, const at::Tensor& start)
    : basis(basis), coordinates(coordinates), start_in_span(at::mm(start, basis.t())) {}

Stack InputSpan::project(Stack stack) const {
  stack.layers.front().weight = start_in_span.clone();
  return stack;
}

Stack InputSpan::lift(Stack stack, const at::Tensor& start) const {
  at::Tensor& weight = stack.layers.front().weight;
  weight = at::addmm(start, weight - start_in_span, basis);
  return stack;
}

}  // namespace ansatz::nets::detail
