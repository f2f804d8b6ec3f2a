#include "nets/checkpoints/formats/pickle_names.h"

#include <algorithm>
#include <array>

#include "nets/checkpoints/formats/pickle.h"

namespace ansatz::nets {
namespace {

constexpr std::array<std::string_view, 7> identities = {
    "torch._utils._rebuild_parameter",   "torch._utils._rebuild_parameter_with_state",
    "torch.jit._pickle.build_intlist",   "torch.jit._pickle.build_doublelist",
    "torch.jit._pickle.build_boollist",  "torch.jit._pickle.build_tensorlist",
    "torch.jit._pickle.restore_type_tag"};

bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

}  // namespace

bool is_storage_type(std::string_view global) {
  constexpr std::string_view end = "Storage";
  return starts_with(global, "torch.") && global.size() > end.size() &&
         global.substr(global.size() - end.size()) == end;
}

ElementType element_type_of(std::string_view storage_type) {
  const std::string_view name = storage_type.substr(storage_type.rfind('.') + 1);
  if (name == "DoubleStorage") return ElementType::float64;
  if (name == "FloatStorage") return ElementType::float32;
  if (name == "HalfStorage") return ElementType::float16;
  return name == "BFloat16Storage" ? ElementType::bfloat16 : ElementType::other;
}

bool is_script_class(std::string_view global) { return starts_with(global, "__torch__."); }

bool returns_its_argument(std::string_view global) {
  return std::find(identities.begin(), identities.end(), global) != identities.end();
}

std::string_view what_to_save_for(std::string_view maker) {
  struct Known {
    std::string_view part;  // of the maker's name
    std::string_view what;
  };
  constexpr std::string_view spread =
      "is spread over processes; save the full state dict (get_model_state_dict with full_state_dict=True)";
  constexpr std::array<Known, 9> all = {
      {{"_rebuild_qtensor", "is quantised; save the network as it was before its quantisation"},
       {"torchao", "is quantised; save the network as it was before its quantisation"},
       {"_rebuild_sparse", "is sparse; save tensor.to_dense()"},
       {"_rebuild_meta_tensor", "holds no numbers (device 'meta'); load the weights before saving"},
       {"Uninitialized", "belongs to a lazy layer that has seen no data; call the network once before saving"},
       {"_rebuild_tensor_v3", "is of a type that only newer PyTorch has (such as float8); save tensor.float()"},
       {"DTensor", spread},
       {"ShardedTensor", spread},
       {"distributed", spread}}};
  for (const Known& known : all)
    if (maker.find(known.part) != std::string_view::npos) return known.what;
  return "";
}

const std::string& maker_of(const Pickle& pickle, const Pickle::Value& object) {
  const Pickle::Value* maker = &object;
  while (maker->kind == Pickle::Kind::object) maker = &pickle.at(maker->items.front());
  return maker->text;
}

std::string kind_name(Pickle::Kind kind) {
  constexpr std::array<const char*, 13> names = {
      "None",      "a boolean", "an integer", "a number",           "a text", "bytes", "a list", "a tuple", "a dict",
      "an object", "a storage", "a tensor",   "a class or function"};
  return names.at(static_cast<std::size_t>(kind));
}

}  // namespace ansatz::nets
