// Any folder of CSV and ARFF tables, with a list of what is to be predicted in each.
#pragma once

#include <filesystem>
#include <vector>

#include "core/data/collections/collection.h"
#include "core/data/tables/files/table_target.h"

namespace ansatz {

/// Opens the tables that `targets` lists. Each is read once to find out what its columns are (core/data/tables/
/// csv_survey.h), and again by Collection::read. Categories become one-hot columns; inputs are not scaled, and a
/// regression's targets stay in their unit. The sets have neither tuning rows nor folds. A table that cannot be read
/// goes to `damaged`; files of the folder that are not listed are noted. Throws DataError if the folder cannot be
/// listed or no table of it can be read.
Collection open_table_folder(const std::filesystem::path& folder, const std::vector<TableTarget>& targets);

}  // namespace ansatz
