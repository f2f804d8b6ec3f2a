// Any folder of CSV and ARFF tables, with a list of what is to be predicted in each.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/data/collections/collection.h"

namespace ansatz {

/// How one table of a folder becomes a set.
struct TableTarget {
  std::string name;
  std::string file;          ///< in the folder; empty: NAME.csv or NAME.arff, packed (.gz) or not
  std::string target;        ///< the column to predict; empty: the last one
  std::optional<Task> task;  ///< not given: classification if the target is text, else it must be given
  std::vector<std::string> ignore_columns;
  std::vector<std::string> categorical;  ///< columns of numbers that are categories; text always is
  std::string delimiter = ",";           ///< of a CSV file: one character, or "tab"
  bool drop_missing = false;             ///< drop rows with missing values; else they are an error
};

/// Opens the tables that `targets` lists. Each is read once to find out what its columns are (core/data/tables/
/// csv_survey.h), and again by Collection::read. Categories become one-hot columns; inputs are not scaled, and a
/// regression's targets stay in their unit. The sets have neither tuning rows nor folds. A table that cannot be read
/// goes to `damaged`; files of the folder that are not listed are noted. Throws DataError if the folder cannot be
/// listed or no table of it can be read.
Collection open_table_folder(const std::filesystem::path& folder, const std::vector<TableTarget>& targets);

}  // namespace ansatz
