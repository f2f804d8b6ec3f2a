// What the names of tensors and modules say against a file being a plain stack of layers. Shapes alone cannot: an
// embedding, a shortcut or the two factors of an adapter chain with other layers as Linear layers would.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/files/tensors/stored_tensor.h"

namespace ansatz::nets {

/// Why a tensor of that name belongs to no stack of Linear layers, and what to do, whatever its shape: "belongs to
/// ...: ..."; "" if its name says nothing of the kind.
std::string why_foreign(const std::string& tensor);

/// What the module's name says it is, if that is something beside a layer that is applied after another: "an
/// attention", "a shortcut". "" for others. `bias`: whether it has one (an embedding has none).
std::string other_role(const std::string& module, bool bias);

/// The beginnings of the names of two networks with the same tensors ("online" and "target"): neither follows the
/// other. Beginnings that differ in numbers only are parts of one network (block1, block2), as are single layers.
std::optional<std::pair<std::string, std::string>> twins(const std::vector<TensorInfo>& tensors);

/// Where the order in which modules are stored contradicts their names: the only one called "out", "head" or "last"
/// is not the last, or the only one called "in" or "first" is not the first. "" if neither is so.
std::string misplaced(const std::vector<std::string>& modules);

/// N if the file's name says that it is one of N shards ("model-00001-of-00003.safetensors"), else 1.
int shards_of(const std::string& file_name);

}  // namespace ansatz::nets
