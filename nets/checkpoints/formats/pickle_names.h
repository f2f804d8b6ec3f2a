// All names that a pickle may use. None of them is ever called: pickle.cpp builds itself what each of them would build.
#pragma once

#include <string_view>

#include "nets/checkpoints/formats/tensor_info.h"

namespace ansatz::nets {

struct StorageType {
  const char* name;  ///< "FloatStorage"
  ElementType type;
};

/// The type of torch.FloatStorage and the like, also spelt torch.storage.FloatStorage; null for any other name.
const StorageType* find_storage_type(std::string_view global);
/// A class compiled by TorchScript: __torch__.<module>.<class>.
bool is_script_class(std::string_view global);
/// TorchScript's typed lists and tags, which hand back their first argument.
bool returns_its_argument(std::string_view global);
bool is_allowed(std::string_view global);

}  // namespace ansatz::nets
