// A data set of a benchmark: all of its rows, and which of them are for what.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/data/dataset.h"

namespace ansatz {

/// Rows of a TableSet: to fit on, and to test (or to select) on. No row is in both.
struct RowSplit {
  std::vector<Index> train, test;
};

/// A data set of a collection, as it is there: nothing scaled, nothing drawn.
struct TableSet {
  std::string name;
  std::filesystem::path source;  ///< its file, or the folder of its files
  /// All rows; of two files first those of the first. Classes are one-hot 0/1 columns, in the order of class_names.
  /// feature_names always, and column_groups where categories became one-hot columns.
  Dataset<double> rows;
  std::optional<RowSplit> tuning;     ///< given by the collection: fit on train, select on test
  std::vector<RowSplit> folds;        ///< given by the collection; empty: to be drawn (grinsztajn.h)
  std::vector<std::string> notes;     ///< what is odd about it, or was done to it, in words
  std::vector<std::string> warnings;  ///< the same, of what may well be a mistake
};

/// What can be said of a set before it is read.
struct TableSetSize {
  std::string name;
  Index rows = 0, features = 0, outputs = 0;
  Task task = Task::classification;
  bool two_files = false;             ///< training and test rows in files of their own
  std::vector<std::string> warnings;  ///< as those of the set, as far as they are known
};

}  // namespace ansatz
