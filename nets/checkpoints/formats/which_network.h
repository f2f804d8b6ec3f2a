// Which entry of a pickled dict is the network.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nets/checkpoints/formats/pickle.h"

namespace ansatz::nets {

struct DictEntry {
  std::string key;
  std::size_t value = 0;  ///< index into Pickle::values
};

/// The entries of a dict whose keys are texts.
std::vector<DictEntry> entries_of(const Pickle& pickle, const Pickle::Value& dict);

/// Whether a tensor of that name is the weight of a layer.
bool is_named_as_weight(std::string_view name);

/// The one of the entries of a dict that is the network; none if the dict itself is: see network_tensors().
std::optional<DictEntry> find_network(const Pickle& pickle, const std::vector<DictEntry>& entries,
                                      const std::string& where);

}  // namespace ansatz::nets
