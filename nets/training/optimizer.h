// SGD, Adam and AdamW with the semantics of torch.optim, on the parameters of a stack.
#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "nets/stack.h"
#include "nets/training/trainer.h"

namespace ansatz::nets::detail {

/// What an optimiser remembers between steps; one tensor a parameter, in the order of Stack::parameters().
struct OptimizerState {
  OptimizerOptions::Kind kind = OptimizerOptions::Kind::sgd;
  Index steps = 0;
  std::vector<at::Tensor> first;   ///< sgd: momentum buffers (none without momentum); adam, adamw: first moments
  std::vector<at::Tensor> second;  ///< adam, adamw: second moments
};

/// Takes gradients as the two factors that Backpropagation gives: weight_multiplier * g^T h for W and
/// bias_multiplier * g^T 1 for b. A step of plain SGD is therefore one product that adds to W in place, and no gradient
/// is stored.
class Optimizer {
 public:
  /// Allocates the buffers that `state` still lacks. The tensors of `stack` and `state` are updated in place; `state`
  /// must outlive this.
  Optimizer(const OptimizerOptions& options, const Stack& stack, OptimizerState& state);

  // A step whose gradient comes in one piece: call begin_step(), then update() once for each layer.
  void begin_step() { ++state_->steps; }
  void update(std::size_t layer, const at::Tensor& g, const at::Tensor& h);

  // A step whose gradient is a sum over parts: call accumulate() for each layer of each part, then apply_accumulated().
  void accumulate(std::size_t layer, const at::Tensor& g, const at::Tensor& h);
  void apply_accumulated();

 private:
  struct Parameter {
    at::Tensor value;  ///< outputs x inputs; a bias as outputs x 1
    double multiplier = 1;
    at::Tensor gradient;  ///< like value, allocated when first needed
    double keep = 0;      ///< 1 while `gradient` holds a part of the sum
  };
  struct LayerParameters {
    std::size_t weight = 0;
    bool biased = false;  ///< then the bias is the next parameter
  };

  template <class Action>
  void for_each_parameter(std::size_t layer, const at::Tensor& g, const at::Tensor& h, Action&& action);
  void update_parameter(std::size_t index, const at::Tensor& g, const at::Tensor& h);
  void add_to_gradient(Parameter& parameter, const at::Tensor& g, const at::Tensor& h);
  void apply(std::size_t index);
  void apply_sgd(std::size_t index);
  void apply_adam(std::size_t index);

  OptimizerOptions options_;
  OptimizerState* state_;
  std::vector<Parameter> parameters_;
  std::vector<LayerParameters> layers_;
};

}  // namespace ansatz::nets::detail
