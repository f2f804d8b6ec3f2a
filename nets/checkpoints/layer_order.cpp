#include "nets/checkpoints/layer_order.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <optional>

#include "core/base/error.h"
#include "core/base/nearest.h"
#include "core/files/tensors/safetensors.h"
#include "nets/checkpoints/layer_graph.h"
#include "nets/checkpoints/names/telling_names.h"
#include "nets/checkpoints/network_parts.h"

namespace ansatz::nets {
namespace {

/// Permits a layer only after all layers whose names differ from its name by smaller numbers only.
class NumberOrder {
 public:
  explicit NumberOrder(const std::vector<TensorInfo>& tensors) : tensors_(tensors) {
    std::map<std::string, Order> groups;
    for (std::size_t i = 0; i < tensors.size(); ++i) groups[without_numbers(tensors[i].name)].push_back(i);
    group_of_.resize(tensors.size());
    for (auto& [pattern, members] : groups) {
      std::sort(members.begin(), members.end(),
                [&](std::size_t a, std::size_t b) { return natural_less(tensors[a].name, tensors[b].name); });
      for (const std::size_t i : members) group_of_[i] = groups_.size();
      groups_.push_back({std::move(members), 0});
    }
  }

  bool operator()(std::size_t i, const std::vector<bool>& used) {
    Group& group = groups_[group_of_[i]];
    while (used[group.members[group.first]]) ++group.first;
    return !natural_less(tensors_[group.members[group.first]].name, tensors_[i].name);
  }

 private:
  struct Group {
    Order members;          // sorted by their numbers
    std::size_t first = 0;  // the first member that is not used yet
  };
  const std::vector<TensorInfo>& tensors_;
  std::vector<Group> groups_;
  std::vector<std::size_t> group_of_;
};

bool follows_numbers(const std::vector<TensorInfo>& tensors, const Order& order) {
  NumberOrder allows(tensors);
  std::vector<bool> used(tensors.size());
  for (const std::size_t i : order) {
    if (!allows(i, used)) return false;
    used[i] = true;
  }
  return true;
}

std::string quoted(const TensorInfo& tensor) {
  return "'" + printable(tensor.name) + "' (" + shape_text(tensor.shape) + ")";
}

/// What is wrong with an order; empty if each layer can follow the one before it.
std::string break_in_chain(const std::vector<TensorInfo>& tensors, const Order& order) {
  for (std::size_t l = 1; l < order.size(); ++l) {
    const TensorInfo &before = tensors[order[l - 1]], &after = tensors[order[l]];
    if (inputs_of(after) != outputs_of(before))
      return quoted(after) + " cannot follow " + quoted(before) + ": its columns must equal the rows before";
  }
  return "";
}

/// The layer's name as a person would write it in layer_names.
std::string layer_name(const TensorInfo& tensor) {
  const std::size_t dot = tensor.name.rfind('.');
  return dot == std::string::npos || dot == 0 ? tensor.name : tensor.name.substr(0, dot);
}

std::string list_names(const std::vector<TensorInfo>& tensors, const Order& which) {
  constexpr std::size_t most = 16;
  std::string text;
  for (std::size_t i = 0; i < which.size() && i < most; ++i)
    text += (i > 0 ? ", " : "") + printable(layer_name(tensors[which[i]]));
  return which.size() > most ? text + ", ..." : text;
}

Order all_of(const std::vector<TensorInfo>& tensors) {
  Order order(tensors.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

/// By the option that gives KnownLayers::names.
[[noreturn]] void refuse(const std::string& problem) { throw ConfigError("`layer_names`: " + problem); }

/// The tensor that `name` names.
std::size_t find_layer(const std::string& file, const std::vector<TensorInfo>& tensors, const std::string& name) {
  Order below;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].name == name) return i;
    if (tensors[i].name.compare(0, name.size() + 1, name + ".") == 0) below.push_back(i);
  }
  if (below.size() == 1) return below.front();
  const std::string start = "\"" + printable(name) + "\" is ";
  if (!below.empty())
    refuse(start + std::to_string(below.size()) + " layers of " + file + ": " + list_names(tensors, below));
  std::vector<std::string> names;
  for (const TensorInfo& tensor : tensors) names.push_back(layer_name(tensor));
  const std::string near = nearest(name, names);
  refuse(start + "no layer of " + file + (near.empty() ? "" : "; did you mean \"" + printable(near) + "\"?") +
         " (it has " + list_names(tensors, all_of(tensors)) + ")");
}

Order named_order(const std::string& file, const std::vector<TensorInfo>& tensors, const KnownLayers& known) {
  Order order, left_out;
  std::vector<bool> named(tensors.size());
  for (const std::string& name : known.names) {
    const std::size_t i = find_layer(file, tensors, name);
    if (named[i]) refuse("\"" + printable(name) + "\" is there twice");
    named[i] = true;
    order.push_back(i);
  }
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (!named[i]) left_out.push_back(i);
  if (!left_out.empty()) refuse("leaves out layers of " + file + ": " + list_names(tensors, left_out));
  if (const std::string broken = break_in_chain(tensors, order); !broken.empty()) refuse("in " + file + ", " + broken);
  return order;
}

LayerOrder found_order(const std::string& file, const std::vector<TensorInfo>& tensors, const KnownLayers& known,
                       FileOrder file_order) {
  const Order as_listed = all_of(tensors);
  LayerGraph graph(tensors);
  if (!graph.chains())
    throw DataError(file + ": " + break_in_chain(tensors, as_listed) + ", and in no other order do the layers chain; " +
                    only_linear + hint_at_parts(tensors));
  const bool fits = graph.begin(known.inputs, known.outputs);
  if (!fits) graph.begin(0, 0);
  const std::string wanted = "must list the layers of " + file + ", first layer first: ";
  if (const auto by_shape = graph.only_order([](std::size_t, const std::vector<bool>&) { return true; })) {
    // In that case the numbers count something else, or the weights are transposed.
    if (fits && !follows_numbers(tensors, *by_shape))
      refuse(wanted + "by their shapes alone they stand as " + list_names(tensors, *by_shape) +
             ", against the numbers in their names (must weights be transposed to outputs x inputs?)");
    return {*by_shape, false};
  }
  if (!fits)
    throw DataError(file + ": no order of its layers leads from the data set's d = " + std::to_string(known.inputs) +
                    " inputs to its c = " + std::to_string(known.outputs) + " outputs");
  const bool listed_fits = file_order == FileOrder::registered && break_in_chain(tensors, as_listed).empty() &&
                           (known.inputs == 0 || inputs_of(tensors.front()) == known.inputs) &&
                           (known.outputs == 0 || outputs_of(tensors.back()) == known.outputs);
  const auto by_number = graph.only_order(NumberOrder(tensors));
  if (!by_number && listed_fits && follows_numbers(tensors, as_listed)) {
    std::vector<std::string> names;
    for (const TensorInfo& tensor : tensors) names.push_back(layer_name(tensor));
    if (const std::string name = misplaced(names); !name.empty())
      refuse(wanted + "they are stored as " + list_names(tensors, as_listed) + ", where '" + printable(name) +
             "' stands elsewhere than its name says");
    return {as_listed, true};
  }
  if (!by_number)
    refuse(wanted + "their shapes and names leave several orders open (it has " + list_names(tensors, as_listed) + ")");
  if (listed_fits && *by_number != as_listed)
    refuse(wanted + "they are numbered as " + list_names(tensors, *by_number) + " but stored as " +
           list_names(tensors, as_listed));
  return {*by_number, false};
}

}  // namespace

std::string without_numbers(const std::string& name) {
  std::string pattern;
  bool in_number = false;
  for (const char c : name) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (!digit || !in_number) pattern += digit ? '0' : c;
    in_number = digit;
  }
  return pattern;
}

LayerOrder layer_order(const std::string& file, const std::vector<TensorInfo>& weights, const KnownLayers& known,
                       FileOrder file_order) {
  constexpr std::size_t most_layers = 10'000;
  if (weights.size() > most_layers) throw DataError(file + ": more than 10,000 layers; refused");
  if (!known.names.empty()) return {named_order(file, weights, known), false};
  return found_order(file, weights, known, file_order);
}

}  // namespace ansatz::nets
