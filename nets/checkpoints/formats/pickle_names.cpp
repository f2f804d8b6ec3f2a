#include "nets/checkpoints/formats/pickle_names.h"

#include <algorithm>
#include <array>

#include "nets/checkpoints/formats/pickle.h"

namespace ansatz::nets {
namespace {

constexpr std::array<StorageType, 12> storage_types = {{{"DoubleStorage", ElementType::float64},
                                                        {"FloatStorage", ElementType::float32},
                                                        {"HalfStorage", ElementType::float16},
                                                        {"BFloat16Storage", ElementType::bfloat16},
                                                        {"LongStorage", ElementType::other},
                                                        {"IntStorage", ElementType::other},
                                                        {"ShortStorage", ElementType::other},
                                                        {"CharStorage", ElementType::other},
                                                        {"ByteStorage", ElementType::other},
                                                        {"BoolStorage", ElementType::other},
                                                        {"ComplexFloatStorage", ElementType::other},
                                                        {"ComplexDoubleStorage", ElementType::other}}};

constexpr std::array<std::string_view, 6> identities = {
    "torch._utils._rebuild_parameter",  "torch.jit._pickle.build_intlist",    "torch.jit._pickle.build_doublelist",
    "torch.jit._pickle.build_boollist", "torch.jit._pickle.build_tensorlist", "torch.jit._pickle.restore_type_tag"};

bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

}  // namespace

const StorageType* find_storage_type(std::string_view global) {
  for (const std::string_view module : {"torch.storage.", "torch."}) {
    if (!starts_with(global, module)) continue;
    for (const StorageType& known : storage_types) {
      if (global.substr(module.size()) == known.name) return &known;
    }
  }
  return nullptr;
}

bool is_script_class(std::string_view global) { return starts_with(global, "__torch__."); }

bool returns_its_argument(std::string_view global) {
  return std::find(identities.begin(), identities.end(), global) != identities.end();
}

bool is_allowed(std::string_view global) {
  return global == "collections.OrderedDict" || global == "torch._utils._rebuild_tensor_v2" ||
         returns_its_argument(global) || is_script_class(global) || find_storage_type(global);
}

std::string kind_name(Pickle::Kind kind) {
  constexpr std::array<const char*, 13> names = {
      "None",      "a boolean", "an integer", "a number",           "a text", "bytes", "a list", "a tuple", "a dict",
      "an object", "a storage", "a tensor",   "a class or function"};
  return names.at(static_cast<std::size_t>(kind));
}

}  // namespace ansatz::nets
