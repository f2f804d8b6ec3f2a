// The names of which pickle.cpp builds itself what they would build. None of them is ever called.
#pragma once

#include <string_view>

#include "nets/checkpoints/formats/tensor_info.h"

namespace ansatz::nets {

/// torch.FloatStorage and the like, also spelt torch.storage.FloatStorage.
bool is_storage_type(std::string_view global);
/// Of the elements in such a storage.
ElementType element_type_of(std::string_view storage_type);
/// A class compiled by TorchScript: __torch__.<module>.<class>.
bool is_script_class(std::string_view global);
/// Parameters, and TorchScript's typed lists and tags: what they make is their first argument.
bool returns_its_argument(std::string_view global);
/// What an object made by that function or class is, and what to save in its place, where it stands among a network's
/// tensors: "is sparse; save tensor.to_dense()". "" if nothing is known of it.
std::string_view what_to_save_for(std::string_view maker);

}  // namespace ansatz::nets
