// One table of a folder, opened as its target says.
#pragma once

#include <filesystem>

#include "core/data/row_source.h"
#include "core/data/tables/files/table_target.h"

namespace ansatz {

/// Finds the table's file, reads it as CSV or ARFF by its name, settles target column and task, and plans its columns.
/// Where no task is given, a target of words is classes, and numbers of a CSV file are an error that asks for it; an
/// ARFF file declares what they are. DataError as open_csv() and read_arff(), and for a file that is not there, two
/// that may be meant, and a target of one class.
RowSource open_table(const std::filesystem::path& folder, const TableTarget& target);

/// The file of the table: what `file` says, or the only one of NAME.csv and NAME.arff, packed or not.
std::filesystem::path table_file(const std::filesystem::path& folder, const TableTarget& target);

}  // namespace ansatz
