// A folder of data sets, opened for a benchmark.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/data/collections/published_results.h"
#include "core/data/collections/table_set.h"

namespace ansatz {

/// A set that could not be opened.
struct DamagedSet {
  std::string name, why;
};

/// A collection that is open: what it holds, and how a set of it is read. It stays usable whatever one of its sets is
/// like.
struct Collection {
  std::string name;
  std::vector<TableSetSize> sets;  ///< sorted by name
  /// Reads one of `sets`. Throws DataError naming file and line where it is damaged, or the names that are near if
  /// there is no such set. May be called from several threads, and holds no values between calls.
  std::function<TableSet(const std::string& name)> read;
  std::optional<PublishedResults> published;
  std::vector<DamagedSet> damaged;  ///< not among `sets`
  std::vector<std::string> notes;
};

/// The set of that name; DataError naming the collection and the nearest name if it is none of them.
const TableSetSize& set_named(const std::vector<TableSetSize>& sets, const std::string& name,
                              const std::string& collection);

}  // namespace ansatz
