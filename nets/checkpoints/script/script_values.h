// What expressions of TorchScript code stand for while forward_chain() follows them, and what functions of torch do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nets/checkpoints/script/forward_chain.h"

namespace ansatz::nets {

struct ScriptValue {
  enum class Kind {
    unknown,    ///< a number, a text or whatever else the steps do not depend on
    none,       ///< None
    boolean,    ///< number
    number,     ///< number
    text,       ///< name
    tensor,     ///< what flows through the network: `node`
    parameter,  ///< a tensor of the file: name
    module,     ///< name: its path ("body.0"); type: its class
    function    ///< name: "torch.relu", "__torch__.helper"; of a method also `path` and `type`
  };
  Kind kind = Kind::unknown;
  std::string name, type;
  double number = 0;
  std::size_t node = 0;
  bool transposed = false;  ///< of a parameter
  std::string magnitude;    ///< of a parameter that weight_norm makes: `name` has its directions
};

/// A value that flows through the network: what is done, and to which node (its own: the input).
struct FlowNode {
  ForwardStep step;
  std::size_t from = 0;
  bool same_numbers = false;  ///< the step changes no number
};

/// The nodes of a network, and what functions of torch make of them.
class Flow {
 public:
  Flow() { nodes_.push_back({}); }
  const FlowNode& node(std::size_t index) const { return nodes_[index]; }
  ScriptValue input() const;

  /// What the function of that name ("relu", without module) makes of these arguments, which are in the order that the
  /// function has in torch, or in torch.nn.functional if `functional`. A function that is not known and takes what
  /// flows gives a step of kind other.
  ScriptValue call(const std::string& function, bool functional, const std::vector<ScriptValue>& arguments);

 private:
  ScriptValue add(ForwardStep step, std::size_t from, bool same_numbers = false);
  ScriptValue other(const std::string& what, std::size_t from);
  bool before_layers(std::size_t node) const;
  std::optional<ScriptValue> layer(const std::string& function, bool functional, const std::vector<ScriptValue>& a);
  static std::optional<ScriptValue> weight_norm(const std::string& function, const std::vector<ScriptValue>& a);
  std::optional<ScriptValue> product(const std::string& function, const std::vector<ScriptValue>& a);
  std::optional<ScriptValue> activation(const std::string& function, const std::vector<ScriptValue>& a);
  std::optional<ScriptValue> unchanged(const std::string& function, const std::vector<ScriptValue>& a);

  std::vector<FlowNode> nodes_;  // the first is the input
};

}  // namespace ansatz::nets
