// The list of targets of a folder of tables, as YAML.
#pragma once

#include <filesystem>
#include <vector>

#include "core/config/config.h"
#include "core/data/collections/table_folder.h"

namespace ansatz {

/// Reads a mapping of set names: `diamonds: {file: diamonds.csv, target: price, task: regression, ignore_columns: [id],
/// categorical: [year], delimiter: ",", decimal: ".", missing_values: ["-"], default_missing_values: true, missing:
/// error | drop}`, every key of which may be left out. Throws ConfigError naming file, line and column. The caller
/// finishes the document.
std::vector<TableTarget> table_targets(const Config& section);

/// The same of a file that holds such a mapping under `sets`, and `task`, for sets that do not state theirs.
std::vector<TableTarget> read_table_targets(const std::filesystem::path& file);

}  // namespace ansatz
