// One UCI set, read by its description.
#pragma once

#include <filesystem>

#include "core/data/collections/table_set.h"

namespace ansatz {

/// Reads the set of that folder, with the checks of core/data/collections/uci_collection.h.
TableSet read_uci_set(const std::filesystem::path& folder);

/// What its description says; DataError as read_uci_description(), and if a file of row numbers is not there.
TableSetSize uci_set_size(const std::filesystem::path& folder);

}  // namespace ansatz
