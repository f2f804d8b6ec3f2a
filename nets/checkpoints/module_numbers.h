// The numbers that nn.Sequential and nn.ModuleList give to their modules. Modules without tensors, such as activations,
// have a number too: a gap in those of a file.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "nets/checkpoints/network_parts.h"

namespace ansatz::nets {

/// A module in a container that numbers its modules: "body.3" is number 3 of "body.".
struct Slot {
  std::string container;
  long number = 0;
};

/// None if the name does not end with a number.
inline std::optional<Slot> slot_of(const std::string& name) {
  constexpr std::size_t most_digits = 9;
  const std::size_t dot = name.rfind('.'), begin = dot == std::string::npos ? 0 : dot + 1;
  const std::string number = name.substr(begin);
  if (number.empty() || number.size() > most_digits || number.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  return Slot{name.substr(0, begin), std::stol(number)};
}

/// Those of a container that have tensors.
inline std::set<long> numbers_in(const NetworkParts& parts, const std::string& container) {
  std::set<long> numbers;
  const auto add = [&](const std::string& name) {
    if (const std::optional<Slot> slot = slot_of(name); slot && slot->container == container)
      numbers.insert(slot->number);
  };
  for (const LinearTensors& linear : parts.linear) add(linear.name);
  for (const BatchNormTensors& norm : parts.batch_norms) add(norm.name);
  return numbers;
}

/// Whether a number between the two is not taken.
inline bool has_gap(const std::set<long>& taken, long from, long to) {
  for (long number = from + 1; number < to; ++number)
    if (taken.count(number) == 0) return true;
  return false;
}

}  // namespace ansatz::nets
