#include "core/data/collections/collection.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/nearest.h"

namespace ansatz {

const TableSetSize& set_named(const std::vector<TableSetSize>& sets, const std::string& name,
                              const std::string& collection) {
  const auto found = std::find_if(sets.begin(), sets.end(), [&](const TableSetSize& set) { return set.name == name; });
  if (found != sets.end()) return *found;
  std::vector<std::string> names;
  for (const TableSetSize& set : sets) names.push_back(set.name);
  const std::string near = nearest(name, names);
  throw DataError(fmt::format("{}: there is no set \"{}\"; {}", collection, name,
                              near.empty() ? fmt::format("its {} sets are: {}", names.size(), fmt::join(names, ", "))
                                           : "did you mean \"" + near + "\"?"));
}

}  // namespace ansatz
