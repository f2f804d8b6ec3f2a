#include "nets/checkpoints/network_parts.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>

#include "core/base/error.h"
#include "nets/checkpoints/names/telling_names.h"

namespace ansatz::nets {
namespace {

/// What a tensor is to its module, by the end of its name. Of two that fit, the longer end stands first.
enum class Role { magnitude, direction, mean, variance, count, weight, bias };
struct Ending {
  const char* text;
  Role role;
};
constexpr std::array<Ending, 10> endings = {{{"parametrizations.weight.original0", Role::magnitude},
                                             {"parametrizations.weight.original1", Role::direction},
                                             {"weight_g", Role::magnitude},
                                             {"weight_v", Role::direction},
                                             {"running_mean", Role::mean},
                                             {"running_var", Role::variance},
                                             {"num_batches_tracked", Role::count},
                                             {"n_averaged", Role::count},
                                             {"weight", Role::weight},
                                             {"bias", Role::bias}}};

bool ends_with(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() && text.substr(text.size() - ending.size()) == ending;
}

const Ending* find_ending(const std::string& name) {
  for (const Ending& ending : endings)
    if (ends_with(name, ending.text)) return &ending;
  return nullptr;
}

/// Where tensors come from, for messages.
struct Source {
  const std::string& file;
  const std::vector<TensorInfo>& tensors;
};

[[noreturn]] void refuse(const Source& source, const TensorInfo& tensor, const std::string& why) {
  throw DataError(place(source.file, tensor) + " " + why + "; " + only_linear + hint_at_parts(source.tensors));
}

/// Of a tensor that is neither the weight nor the bias of anything.
constexpr const char* unknown =
    "is not the weight of a Linear layer. If the outputs do not depend on it, delete it from the state dict before "
    "saving";

bool is_of_weight_norm(const Ending* ending) {
  return ending && (ending->role == Role::magnitude || ending->role == Role::direction);
}

using Module = std::map<Role, const TensorInfo*>;

const TensorInfo* find(const Module& module, Role role) {
  const auto found = module.find(role);
  return found == module.end() ? nullptr : found->second;
}

void require_shape(const Source& source, const TensorInfo& tensor, const std::vector<std::int64_t>& shape) {
  if (tensor.shape != shape)
    throw DataError(place(source.file, tensor) + " must be of shape " + shape_text(shape) +
                    " as the tensors beside it are");
}

std::optional<TensorInfo> of_length(const Source& source, const Module& module, Role role, std::int64_t length) {
  const TensorInfo* tensor = find(module, role);
  if (!tensor) return std::nullopt;
  require_shape(source, *tensor, {length});
  return *tensor;
}

std::string why_not_linear(const TensorInfo& weight, bool has_bias) {
  constexpr const char* normalises =
      "which normalises each row by itself; a network with it can only be trained anew without it, or with BatchNorm1d";
  constexpr const char* slope =
      "a PReLU, an activation with slopes of its own; train with an activation that has none, such as "
      "nn.LeakyReLU(0.01)";
  if (weight.shape.size() == 1 && has_bias)
    return std::string("belongs to a LayerNorm or GroupNorm (or a BatchNorm with track_running_stats=False), ") +
           normalises;
  if (weight.shape.size() == 1 && weight.shape[0] == 1) return std::string("belongs to ") + slope;
  if (weight.shape.size() == 1)
    return std::string("belongs to ") + slope + "; or to an RMSNorm or a LayerNorm without biases, " + normalises;
  if (weight.shape.size() < 2) return "is not a matrix";
  return weight.shape.size() == 3 ? "is the weight of a convolution or an nn.Bilinear"
                                  : "is the weight of a convolution";
}

LinearTensors linear_of(const Source& source, const std::string& name, const Module& module) {
  const TensorInfo *weight = find(module, Role::weight), *direction = find(module, Role::direction);
  const TensorInfo* magnitude = find(module, Role::magnitude);
  if (!weight && !direction) {
    const TensorInfo& lonely = *module.begin()->second;
    refuse(source, lonely,
           magnitude ? "is the magnitude of a weight_norm without its direction" : "is the bias of no layer");
  }
  if (weight && (direction || magnitude)) refuse(source, *weight, "stands beside a weight_norm of the same name");
  if (direction && !magnitude) refuse(source, *direction, "belongs to a spectral norm, or lacks its weight_g");
  LinearTensors linear;
  linear.name = name;
  linear.weight = weight ? *weight : *direction;
  const TensorInfo* bias = find(module, Role::bias);
  if (linear.weight.shape.size() != 2) refuse(source, linear.weight, why_not_linear(linear.weight, bias));
  const std::int64_t k = linear.weight.shape[0], d = linear.weight.shape[1];
  if (bias && k != d && bias->shape == std::vector<std::int64_t>{d})
    refuse(source, linear.weight,
           "has a bias for each column: it is inputs x outputs, as Keras, Flax and GPT-2 have it; transpose it before "
           "saving");
  if (magnitude) {
    if (!is_magnitude_of(*magnitude, linear.weight))
      refuse(source, *magnitude,
             "is no magnitude for the " + shape_text(linear.weight.shape) + " directions beside it");
    linear.magnitude = *magnitude;
  }
  linear.bias = of_length(source, module, Role::bias, k);
  return linear;
}

BatchNormTensors batch_norm_of(const Source& source, const std::string& name, const Module& module) {
  const TensorInfo *mean = find(module, Role::mean), *variance = find(module, Role::variance);
  if (!mean || !variance)
    throw DataError(place(source.file, *module.begin()->second) +
                    " belongs to a batch normalisation of which only one of " +
                    "running_mean and running_var is there");
  if (mean->shape.size() != 1) refuse(source, *mean, "is not the mean of a BatchNorm1d");
  BatchNormTensors norm;
  norm.name = name;
  norm.mean = *mean;
  norm.variance = *variance;
  require_shape(source, norm.variance, mean->shape);
  norm.weight = of_length(source, module, Role::weight, mean->shape[0]);
  norm.bias = of_length(source, module, Role::bias, mean->shape[0]);
  return norm;
}

std::string module_name(const std::string& tensor, const Ending& ending) {
  std::string name = tensor.substr(0, tensor.size() - std::string_view(ending.text).size());
  if (!name.empty() && name.back() == '.') name.pop_back();
  return name;
}

}  // namespace

bool is_magnitude_of(const TensorInfo& magnitude, const TensorInfo& direction) {
  using Shape = std::vector<std::int64_t>;
  const Shape& shape = magnitude.shape;
  return shape.empty() || shape == Shape{direction.shape[0], 1} || shape == Shape{1, direction.shape[1]};
}

std::string hint_at_parts(const std::vector<TensorInfo>& tensors) {
  std::set<std::string> beginnings;
  bool has_parts = false;  // "model.fc1.weight"
  for (const TensorInfo& tensor : tensors) {
    beginnings.insert(tensor.name.substr(0, tensor.name.find('.')));
    has_parts |= std::count(tensor.name.begin(), tensor.name.end(), '.') > 1;
  }
  if (!has_parts || beginnings.size() < 2 || beginnings.size() > tensors.size() / 2) return "";
  std::string text;
  for (const std::string& beginning : beginnings) text += (text.empty() ? "" : ", ") + printable(beginning);
  return ". If not all of it is the network's (it has " + text + "), `checkpoint_key` says which part is";
}

NetworkParts network_parts(const std::string& file, const std::vector<TensorInfo>& tensors) {
  std::unordered_map<std::string, std::size_t> places;
  std::vector<std::pair<std::string, Module>> modules;
  const Source source = {file, tensors};
  for (const TensorInfo& tensor : tensors) {
    const Ending* ending = find_ending(tensor.name);
    const std::string foreign = is_of_weight_norm(ending) ? "" : why_foreign(tensor.name);
    if (!foreign.empty()) refuse(source, tensor, foreign);
    if (!ending) refuse(source, tensor, unknown);
    if (ending->role == Role::count) continue;
    check_tensor(file, tensor);
    const std::string name = module_name(tensor.name, *ending);
    const auto [entry, is_new] = places.emplace(name, modules.size());
    if (is_new) modules.push_back({name, {}});
    if (!modules[entry->second].second.emplace(ending->role, &tensor).second)
      throw DataError(place(file, tensor) + " appears twice; the file is damaged");
  }
  NetworkParts parts;
  for (const auto& [name, module] : modules) {
    if (find(module, Role::mean) || find(module, Role::variance)) {
      parts.batch_norms.push_back(batch_norm_of(source, name, module));
      parts.linear_before.push_back(parts.linear.size());
    } else {
      parts.linear.push_back(linear_of(source, name, module));
    }
  }
  if (parts.linear.empty()) throw DataError(file + ": no weights found; " + only_linear);
  return parts;
}

}  // namespace ansatz::nets
