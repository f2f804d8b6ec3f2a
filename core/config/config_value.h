// A resolved config as values: what metrics.json keeps of it, and what tells two runs apart.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

struct ConfigValue {
  using List = std::vector<ConfigValue>;
  using Mapping = std::vector<std::pair<std::string, ConfigValue>>;  ///< in the config's order
  std::variant<Mapping, List, bool, Index, double, std::string> value;

  bool operator==(const ConfigValue& other) const { return value == other.value; }
};

/// What Config::resolved_yaml wrote. A word in quotes is text; a number without a fraction is an Index, whatever kind
/// of number its key takes. ConfigError naming `source` if it is not YAML.
ConfigValue config_values(const std::string& resolved_yaml, const std::string& source);

using Settings = std::vector<std::pair<std::string, std::string>>;
/// Every value as text under the path that --set takes: {"rfm.ridge", "0.001"}, {"kernel_machines.0.label", "ntk"}. A
/// list without mappings is one value: "[1024, 512]".
Settings settings_of(const ConfigValue& config);

}  // namespace ansatz
