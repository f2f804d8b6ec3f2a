// The idx files of MNIST and its relatives: big-endian header, then bytes; plain or gzipped.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/data/row_source.h"

namespace ansatz {

/// The four file names, alternatives separated by '|': train images and labels, test images and labels.
std::vector<std::string> idx_files();

/// The files of one data set in this format.
struct IdxSet {
  std::string name;
  std::vector<std::string> files = idx_files();
  std::vector<std::string>
      class_names;          ///< empty: the labels from the smallest (0, or what they begin with) to the largest
  Index first_label = 0;    ///< the label of the first class that has a name
  bool transposed = false;  ///< images are stored column by column
};

/// Images (magic 2051) n x (height * width), divided by 255, and labels (magic 2049). Throws DataError naming the file
/// if it is missing or truncated, has a wrong magic or a label beyond the class names, or if there are not as many
/// labels as images.
RowSource open_idx(const IdxSet& set, const std::filesystem::path& folder);

/// The same with MNIST's class names.
RowSource open_mnist(const std::filesystem::path& folder);

}  // namespace ansatz
