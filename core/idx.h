// The idx files of MNIST and its relatives: big-endian header, then bytes; plain or gzipped.
#pragma once

#include "core/data_source.h"
#include "core/load_dataset.h"

namespace ansatz {

/// The four file names, alternatives separated by '|': train images and labels, test images and labels.
std::vector<std::string> idx_files();

/// Images (magic 2051) n x (height * width), divided by 255, and labels (magic 2049). `class_names` empty: "0" to the
/// largest label. Throws DataError naming the file: missing, wrong magic, truncated, images and labels of unequal
/// number, a label beyond the class names.
template <class Scalar>
DataSource<Scalar> open_idx(const DatasetOptions& options, const std::vector<std::string>& class_names);

/// The same with MNIST's class names.
template <class Scalar>
DataSource<Scalar> open_mnist(const DatasetOptions& options) {
  return open_idx<Scalar>(options, {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"});
}

}  // namespace ansatz
