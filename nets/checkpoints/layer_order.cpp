#include "nets/checkpoints/layer_order.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "core/base/error.h"
#include "core/base/nearest.h"
#include "core/files/tensors/safetensors.h"

namespace ansatz::nets {
namespace {

using Order = std::vector<std::size_t>;

std::int64_t inputs_of(const TensorInfo& tensor) { return tensor.shape[1]; }
std::int64_t outputs_of(const TensorInfo& tensor) { return tensor.shape[0]; }

/// "layers.12.weight" -> "layers.0.weight": names that agree in this differ in their numbers only.
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

/// A graph whose nodes are widths and whose edges are layers, from their number of inputs to their number of outputs.
/// An order in which the layers fit together is an Euler path, along every edge once. It exists if all edges are
/// connected and every node has as many edges in as out, except for the two ends of the path.
class LayerGraph {
 public:
  explicit LayerGraph(const std::vector<TensorInfo>& tensors) : tensors_(tensors), used_(tensors.size()) {
    std::map<std::int64_t, std::int64_t> surplus;  // edges out less edges in
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      from_[inputs_of(tensors[i])].push_back(i);
      ++surplus[inputs_of(tensors[i])];
      --surplus[outputs_of(tensors[i])];
    }
    for (const auto& [width, more_out] : surplus) {
      if (more_out == 0) continue;
      balanced_ = false;
      chains_ &= more_out == 1 || more_out == -1;
      (more_out > 0 ? start_ : end_) = width;
      starts_ += more_out > 0;
    }
    chains_ &= starts_ <= 1;
    if (balanced_) start_ = end_ = inputs_of(tensors.front());  // a circle: it may begin anywhere
    chains_ &= reachable(start_, tensors.size()) == tensors.size();
  }

  bool chains() const { return chains_; }

  /// Whether some order leads from `inputs` to `outputs` (0: any); the walk then begins there.
  bool begin(std::int64_t inputs, std::int64_t outputs) {
    if (!balanced_) return (inputs == 0 || inputs == start_) && (outputs == 0 || outputs == end_);
    begins_anywhere_ = inputs == 0 && outputs == 0;
    start_ = inputs != 0 ? inputs : outputs;
    return begins_anywhere_ || ((outputs == 0 || outputs == start_) && from_.count(start_) > 0);
  }

  /// The only order all of whose steps `allows` permits; none if at some step there is no such layer, or a choice.
  template <class Allows>
  std::optional<Order> only_order(Allows&& allows) {
    Order order;
    std::fill(used_.begin(), used_.end(), false);
    while (order.size() < tensors_.size()) {
      const std::optional<std::size_t> next = only_step(order, allows);
      if (!next) return std::nullopt;
      used_[*next] = true;
      order.push_back(*next);
    }
    return order;
  }

 private:
  template <class Allows>
  std::optional<std::size_t> only_step(const Order& order, Allows& allows) {
    std::optional<std::size_t> only;
    const auto look_at = [&](std::size_t i) {
      if (used_[i] || !allows(i, used_) || !goes_on(i, order.size())) return true;
      if (only) return false;
      only = i;
      return true;
    };
    if (order.empty() && begins_anywhere_) {
      for (std::size_t i = 0; i < tensors_.size(); ++i)
        if (!look_at(i)) return std::nullopt;
    } else {
      for (const std::size_t i : from_[order.empty() ? start_ : outputs_of(tensors_[order.back()])])
        if (!look_at(i)) return std::nullopt;
    }
    return only;
  }

  /// Whether the other layers that are left can follow after layer i.
  bool goes_on(std::size_t i, std::size_t done) {
    const std::size_t left = tensors_.size() - done - 1;
    used_[i] = true;
    const bool can_go_on = reachable(outputs_of(tensors_[i]), left) == left;
    used_[i] = false;
    return can_go_on;
  }

  /// The number of unused layers that can be reached from a width; stops counting at `wanted`.
  std::size_t reachable(std::int64_t width, std::size_t wanted) const {
    std::vector<std::int64_t> next = {width};
    std::unordered_map<std::int64_t, bool> seen = {{width, true}};
    std::size_t found = 0;
    while (!next.empty() && found < wanted) {
      const auto edges = from_.find(next.back());
      next.pop_back();
      if (edges == from_.end()) continue;
      for (const std::size_t i : edges->second) {
        if (used_[i]) continue;
        ++found;
        if (seen.emplace(outputs_of(tensors_[i]), true).second) next.push_back(outputs_of(tensors_[i]));
      }
    }
    return found;
  }

  const std::vector<TensorInfo>& tensors_;
  std::unordered_map<std::int64_t, Order> from_;  // layers by their number of inputs
  std::vector<bool> used_;
  bool balanced_ = true, chains_ = true, begins_anywhere_ = false;
  std::int64_t start_ = 0, end_ = 0;
  int starts_ = 0;
};

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

Order found_order(const std::string& file, const std::vector<TensorInfo>& tensors, const KnownLayers& known,
                  FileOrder file_order) {
  const Order as_listed = all_of(tensors);
  LayerGraph graph(tensors);
  if (!graph.chains())
    throw DataError(file + ": " + break_in_chain(tensors, as_listed) + ", and in no other order do the layers chain; " +
                    only_linear);
  const bool fits = graph.begin(known.inputs, known.outputs);
  if (!fits) graph.begin(0, 0);
  const std::string wanted = "must list the layers of " + file + ", first layer first: ";
  if (const auto by_shape = graph.only_order([](std::size_t, const std::vector<bool>&) { return true; })) {
    // In that case the numbers count something else, or the weights are transposed.
    if (fits && !follows_numbers(tensors, *by_shape))
      refuse(wanted + "by their shapes alone they stand as " + list_names(tensors, *by_shape) +
             ", against the numbers in their names (must weights be transposed to outputs x inputs?)");
    return *by_shape;
  }
  if (!fits)
    throw DataError(file + ": no order of its layers leads from the data set's d = " + std::to_string(known.inputs) +
                    " inputs to its c = " + std::to_string(known.outputs) + " outputs");
  const auto by_number = graph.only_order(NumberOrder(tensors));
  if (!by_number)
    refuse(wanted + "their shapes and names leave several orders open (it has " + list_names(tensors, as_listed) + ")");
  const bool listed_fits = break_in_chain(tensors, as_listed).empty() &&
                           (known.inputs == 0 || inputs_of(tensors.front()) == known.inputs) &&
                           (known.outputs == 0 || outputs_of(tensors.back()) == known.outputs);
  if (file_order == FileOrder::registered && listed_fits && *by_number != as_listed)
    refuse(wanted + "they are numbered as " + list_names(tensors, *by_number) + " but stored as " +
           list_names(tensors, as_listed));
  return *by_number;
}

}  // namespace

std::vector<TensorInfo> in_layer_order(const std::string& file, const std::vector<TensorInfo>& tensors,
                                       const KnownLayers& known, FileOrder file_order) {
  constexpr std::size_t most_layers = 10'000;
  if (tensors.size() > most_layers) throw DataError(file + ": more than 10,000 layers; refused");
  const Order order =
      known.names.empty() ? found_order(file, tensors, known, file_order) : named_order(file, tensors, known);
  std::vector<TensorInfo> ordered;
  for (const std::size_t i : order) ordered.push_back(tensors[i]);
  return ordered;
}

}  // namespace ansatz::nets
