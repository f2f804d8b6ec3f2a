// What is to be predicted in a table of a folder.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/data/dataset.h"
#include "core/data/tables/cell_format.h"

namespace ansatz {

/// How one table of a folder becomes a set.
struct TableTarget {
  std::string name;
  std::string file;          ///< in the folder; empty: NAME.csv or NAME.arff, packed (.gz) or not
  std::string target;        ///< the column to predict; empty: the last one
  std::optional<Task> task;  ///< not given: by the target (open_table.h)
  std::vector<std::string> ignore_columns;
  std::vector<std::string> categorical;  ///< columns of numbers that are categories; text always is
  std::string delimiter = ",";           ///< of a CSV file: one character, or "tab"
  CellFormat::Options cells;             ///< what is a number, and what is missing
  bool drop_missing = false;             ///< drop rows with missing values; else they are an error
};

}  // namespace ansatz
