// How a table is to be read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/data/tables/cell_format.h"

namespace ansatz {

enum class MissingValues { error, drop, mean };

struct CsvOptions {
  std::string target_column;             ///< by header name
  std::vector<std::string> categorical;  ///< columns to one-hot, beside those with a value that is no number
  std::vector<std::string> ignore_columns;
  std::string delimiter = ",";                   ///< one character, or "tab"
  CellFormat::Options cells;                     ///< what is a number, and what is missing
  MissingValues missing = MissingValues::error;  ///< drop: rows; mean: of the column over the drawn training rows
  std::filesystem::path test_path;               ///< test rows in a file of their own
};

}  // namespace ansatz
