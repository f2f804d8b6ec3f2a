// A reader of Python pickles that can only build plain values and descriptions of tensors. It calls nothing: of a name
// that the pickle wants to call, and that is not on a short list, it keeps the name and the arguments, as data, so a
// hostile file has nothing to run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nets/checkpoints/formats/tensor_info.h"

namespace ansatz::nets {

/// The values of a pickle. They lie in one array and refer to each other by index, so that shared and even circular
/// references cause no trouble.
struct Pickle {
  enum class Kind { none, boolean, integer, real, text, bytes, list, tuple, dict, object, storage, tensor, global };
  struct Value {
    Kind kind = Kind::none;
    std::int64_t integer = 0;  ///< boolean, integer; tensor: index into `tensors`; storage: its number of elements
    double real = 0;           ///< real
    std::string text;          ///< text, bytes; storage: its key; global: the name "module.name"
    ElementType type = ElementType::other;  ///< storage
    std::string type_name;                  ///< storage: "FloatStorage"
    /// List, tuple; dict: key, value, key, value, ...; object: the global (or object) that was to make it, then its
    /// arguments, its state and what was put into it.
    std::vector<std::size_t> items;
  };
  std::vector<Value> values;
  std::vector<TensorInfo> tensors;  ///< nameless; strides, offset and storage as pickled, unchecked
  std::size_t root = 0;

  const Value& at(std::size_t index) const { return values[index]; }
};

/// Reads pickle protocols 2 to 5, as torch.save and torch.jit.save use them. What these names would make, it makes:
/// collections.OrderedDict and defaultdict, torch._utils._rebuild_tensor_v2, _rebuild_parameter and
/// torch._tensor._rebuild_from_type_v2, torch.<Type>Storage, and torch.jit._pickle's list builders. Whatever else a
/// name would make (a NumPy number, argparse.Namespace, a whole module, the class of a TorchScript module) becomes an
/// object, which holds what the pickle says of it. Throws DataError, whose message begins with `where`, for an unknown
/// opcode, a truncated or inconsistent pickle, and more than 4 million operations.
Pickle read_pickle(std::string_view bytes, const std::string& where);

/// The name of what was to make an object: "argparse.Namespace".
const std::string& maker_of(const Pickle& pickle, const Pickle::Value& object);

/// "a dict", "a list", ... for messages.
std::string kind_name(Pickle::Kind kind);

}  // namespace ansatz::nets
