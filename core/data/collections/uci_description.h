// NAME.txt of a UCI set: what the study says of its files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/matrix.h"

namespace ansatz {

struct UciDescription {
  struct File {
    std::filesystem::path path;  ///< as it lies there, packed or not
    Index rows = 0;
  };
  Index features = 0, classes = 0;
  std::vector<File> files;                  ///< one, or training and test rows
  Index tuning_train = 0, tuning_test = 0;  ///< the sizes of the tuning halves
};

/// Reads FOLDER/NAME.txt of the set NAME = the folder's own name (core/data/collections/uci_collection.h) and finds the
/// data files. Throws DataError naming file and line: a key that is missing, given twice or no whole number in range, a
/// data file that is not there.
UciDescription read_uci_description(const std::filesystem::path& folder);

}  // namespace ansatz
