// The orders in which layers of given shapes can follow each other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "nets/checkpoints/layer_order.h"

namespace ansatz::nets {

inline std::int64_t inputs_of(const TensorInfo& tensor) { return tensor.shape[1]; }
inline std::int64_t outputs_of(const TensorInfo& tensor) { return tensor.shape[0]; }

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

}  // namespace ansatz::nets
