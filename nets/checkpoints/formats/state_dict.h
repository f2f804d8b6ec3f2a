// Finds the network's tensors among all tensors of a pickle.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "nets/checkpoints/formats/pickle.h"

namespace ansatz::nets {

struct NetworkTensors {
  std::vector<TensorInfo> tensors;
  std::string under;  ///< the key of the dict that holds them; empty: the outermost
  std::map<std::string, Pickle::Value>
      settings;  ///< of a TorchScript module: its attributes that are numbers or booleans
};

/// The named tensors of a network, in file order, which is the order in which PyTorch has registered the layers. Of
/// - a TorchScript module: its attributes and those of its submodules, named "0.weight";
/// - a dict that has an entry `part`: the tensors in there;
/// - a dict that has a dict under "state_dict", "model_state_dict" or "model", or that holds no tensors itself and one
///   dict with "...weight" tensors: the tensors in there. The rest of such a training checkpoint (optimiser, epoch,
///   ...) is ignored;
/// - any other dict: its own tensors. Entries that are not tensors are ignored.
/// Throws DataError, whose message begins with `where`, if there are no tensors (naming the keys found); for a whole
/// pickled module, and for an object among the network's tensors that holds tensors or stands where a parameter should
/// be; if tensors lie deeper down beside the dict's own; or if nesting is deeper than 64. Throws ConfigError beginning
/// with "`checkpoint_key`: " if it is not clear which network is meant (two of these keys, or a second copy of the
/// network under another).
NetworkTensors network_tensors(const Pickle& pickle, const std::string& where, const std::string& part = "");

/// Of `tensors`, those whose names begin with `part` and a dot; all of them if `part` is empty. Throws ConfigError
/// beginning with "`checkpoint_key`: " if there are none.
std::vector<TensorInfo> only_below(const std::string& part, const std::string& where, std::vector<TensorInfo> tensors);

}  // namespace ansatz::nets
