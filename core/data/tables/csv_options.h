// The options for reading a CSV table.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/data/tables/cell_format.h"

namespace ansatz {

enum class MissingValues { error, drop, mean };

/// What a category of test rows is that the training file does not have: a mistake, or none of the known ones.
enum class UnknownCategory { error, zero };

struct CsvOptions {
  std::string target_column;             ///< by header name
  std::vector<std::string> categorical;  ///< columns to make one-hot, besides the columns of text
  std::vector<std::string> ignore_columns;
  std::string delimiter = ",";                   ///< one character, or "tab"
  CellFormat::Options cells;                     ///< what is a number, and what is missing
  MissingValues missing = MissingValues::error;  ///< drop the row, or take the column's mean over drawn training rows
  bool can_fill = true;  ///< whether the reader has training rows to take means of: what a message may advise
  UnknownCategory unknown_category = UnknownCategory::error;
  std::filesystem::path test_path;  ///< test rows in a file of their own
};

}  // namespace ansatz
