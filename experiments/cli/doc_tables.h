// The tables of docs/ that list what the program's closed sets hold, written from the rows of those sets.
#pragma once

#include <string>

namespace ansatz::experiments {

/// `document` (Markdown) with each table between the lines
///   <!-- table: NAME (scripts/update_docs writes it) -->
///   <!-- end of table -->
/// written anew. NAME: kernels, kernel parameters. ConfigError if there is no such table or an end is missing.
std::string with_tables(const std::string& document);

}  // namespace ansatz::experiments
