// A reader of Python pickles that can only build plain values and descriptions of tensors. It calls nothing: a name
// that the pickle wants to call is compared with a short list and refused otherwise, so a hostile file has nothing to
// run.
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
    std::string text;          ///< text, bytes; storage: its key; global, object: the name "module.name"
    ElementType type = ElementType::other;  ///< storage
    std::string type_name;                  ///< storage: "FloatStorage"
    std::vector<std::size_t> items;  ///< list, tuple; dict: key, value, key, value, ...; object: its state, if any
  };
  std::vector<Value> values;
  std::vector<TensorInfo> tensors;  ///< nameless; strides, offset and storage as pickled, unchecked
  std::size_t root = 0;

  const Value& at(std::size_t index) const { return values[index]; }
};

/// Reads pickle protocols 2 to 5, as torch.save and torch.jit.save use them. Only these names are known, all others are
/// refused: collections.OrderedDict, torch._utils._rebuild_tensor_v2 and _rebuild_parameter, torch.<Type>Storage,
/// torch.jit._pickle's list builders, and TorchScript classes __torch__.*, whose state is kept as data. Throws
/// DataError, whose message begins with `where`, for a refused name, an unknown opcode, a truncated or inconsistent
/// pickle, and more than 4 million operations.
Pickle read_pickle(std::string_view bytes, const std::string& where);

/// "a dict", "a list", ... for messages.
std::string kind_name(Pickle::Kind kind);

}  // namespace ansatz::nets
