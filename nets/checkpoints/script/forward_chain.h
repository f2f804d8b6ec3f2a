// What the code of a TorchScript module does to its input, step by step.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "nets/checkpoints/formats/pickle.h"

namespace ansatz::nets {

/// A step whose kind is not one of the first four is none that a stack of layers has; `what` then names it.
struct ForwardStep {
  enum class Kind { linear, batch_norm, activation, softmax, other };
  Kind kind = Kind::other;
  std::string what;  ///< activation: its name here ("relu"); softmax: "softmax" or "log_softmax"

  // Names of tensors; "" where there is none.
  std::string weight, bias;    ///< of both kinds of layers
  std::string magnitude;       ///< of linear with weight_norm: `weight` has its directions
  bool transposed = false;     ///< of linear: the weight is inputs x outputs
  std::string mean, variance;  ///< of batch_norm
  double epsilon = 0;          ///< of batch_norm
};

struct ScriptSource {
  /// The text of the file with the code of a Python module ("__torch__.torch.nn.modules.linear"); "" if there is none.
  std::function<std::string(const std::string& module)> code;
  /// Attributes that are numbers or booleans: "body.use_bias".
  std::map<std::string, Pickle::Value> settings;
};

/// Follows forward() of the class of that name ("__torch__.Net") from the value that it returns back to its input, as
/// in evaluation (self.training is False), and gives the steps in the order in which they are applied. Steps that
/// change no number (dropout, flatten of the input) are left out. Code is read as text and never run: functions of
/// torch are known by their names, others are followed. Throws DataError beginning with `where` if the code is not
/// there, is damaged or too large, takes several inputs or gives several outputs.
std::vector<ForwardStep> forward_chain(const std::string& class_name, const ScriptSource& source,
                                       const std::string& where);

}  // namespace ansatz::nets
