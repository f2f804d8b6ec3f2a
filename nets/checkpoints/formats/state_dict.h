// Finds the network's tensors among all tensors of a pickle.
#pragma once

#include <string>
#include <vector>

#include "nets/checkpoints/formats/pickle.h"

namespace ansatz::nets {

/// The named tensors of a network, in file order, which is the order in which PyTorch has registered the layers. Of
/// - a TorchScript module: its attributes and those of its submodules, named "0.weight";
/// - a dict that has a dict or module under "state_dict", "model_state_dict" or "model": the tensors in there. The rest
///   of such a training checkpoint (optimiser, epoch, ...) is ignored;
/// - any other dict: its own tensors. Entries that are not tensors are ignored.
/// Throws DataError, whose message begins with `where`, if there are no tensors (naming the keys found); if it is not
/// clear which are meant (two of these keys, or tensors deeper down beside the dict's own); or if nesting is deeper
/// than 64.
std::vector<TensorInfo> network_tensors(const Pickle& pickle, const std::string& where);

}  // namespace ansatz::nets
