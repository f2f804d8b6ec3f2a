#include "rfm/trees/tree_options.h"

#include "core/base/error.h"

namespace ansatz::rfm {

void validate(const RfmTreeOptions& options) {
  const auto require = [](bool right, const std::string& message) {
    if (!right) throw ConfigError("rfm_tree: " + message);
  };
  require(options.leaf_size >= 2, "`leaf_size` must be at least 2");
  require(options.split_rows >= 2, "`split_rows` must be at least 2");
  require(options.split_iterations >= 0, "`split_iterations` must be 0 or more");
  require(!options.temperatures.empty(), "`temperatures` must hold at least one");
  require(options.temperature_rows >= 1, "`temperature_rows` must be at least 1");
  require(options.leaf_validation >= 0, "`leaf_validation` must be 0 or more");
  RoutingOptions routing = options.routing;
  for (const double temperature : options.temperatures) {
    routing.temperature = temperature;
    validate(routing);
  }
}

}  // namespace ansatz::rfm
