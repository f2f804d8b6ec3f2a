// Which of the tensors of a pickle are the network's.
#pragma once

#include <string>
#include <vector>

#include "nets/checkpoints/formats/pickle.h"

namespace ansatz::nets {

/// The named tensors of a network, in file order (which is the order of the layers, as PyTorch registers them):
///  - a TorchScript module: its attributes, and those of its submodules, as "0.weight";
///  - a dict that holds a dict or module under one of "state_dict", "model_state_dict" and "model": the tensors in
///  there;
///    the rest of such a training checkpoint (optimiser, epoch, ...) is passed over;
///  - any other dict: its own tensors; entries that hold no tensor are passed over.
/// Throws DataError (beginning with `where`) if there is none, naming the keys found; if it is open which are meant
/// (two of those names; tensors deeper down beside the dict's own); or on nesting deeper than 64.
std::vector<TensorInfo> network_tensors(const Pickle& pickle, const std::string& where);

}  // namespace ansatz::nets
