// From a data set's name and options to a Split: the table of loaders and what they share.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/dataset.h"
#include "core/random.h"

namespace ansatz {

enum class Normalization { none, unit_norm, standardize, min_max };
enum class MissingValues { error, drop, mean };

/// One monomial: coefficient * prod_i x_i^powers[i] (indices are 0-based).
struct PolynomialTerm {
  double coefficient = 1;
  std::map<Index, Index> powers;
};

/// The synthetic tasks of the paper (appendix D; Figs 10, 14, 16). See core/synthetic.h for their definitions.
struct LowRankOptions {
  std::string target = "x1x2";  ///< x1x2 | he2_he4 | piecewise | custom
  Index dimension = 30;
  std::string input_distribution = "gaussian";  ///< gaussian | rademacher
  double input_variance = 1;                    ///< of each coordinate (rademacher: scales the +-1 by its root)
  double input_noise_variance = 0;              ///< Gaussian noise added to the inputs after the targets were computed
  double label_noise_variance = 0;
  std::vector<PolynomialTerm> terms;  ///< custom only
};

/// What the `dataset` section of a config says. Paths are absolute or empty.
struct DatasetOptions {
  std::string name;            ///< a row of dataset_table()
  std::filesystem::path path;  ///< overrides where to look
  Index train_size = 0;        ///< 0: all there are. Rows drawn without replacement by the stream "data/train"
  Index test_size = 0;
  double validation_fraction = 0.2;  ///< of the drawn training rows, split off by the stream "data/validation"
  Index validation_size = 0;         ///< synthetic tasks: rows of their own; else overrides the fraction if > 0
  double test_fraction = 0.2;        ///< for sets that come in one piece (csv, image_folder)
  Normalization normalize = Normalization::none;
  std::vector<std::string> classes;  ///< keep these classes only, in this order (by name); empty: all
  bool balanced = false;             ///< draw equally many of each class
  // images
  Index image_height = 0, image_width = 0;  ///< resize; 0: as stored (image_folder requires both)
  // arrays
  std::filesystem::path train_inputs, train_targets, validation_inputs, validation_targets, test_inputs, test_targets;
  Task task = Task::regression;
  std::optional<ImageShape> image_shape;
  // csv
  std::string target_column;  ///< by header name; required for csv
  std::vector<std::string>
      categorical;  ///< columns to one-hot (also every column with a non-numeric value when `auto`)
  std::vector<std::string> ignore_columns;
  std::string delimiter = ",";
  MissingValues missing = MissingValues::error;
  std::filesystem::path test_path;  ///< csv: test rows in a file of their own
  // synthetic
  LowRankOptions low_rank;
};

/// Decodes an image file (JPEG, PNG, ...) into RGB planes (3 x height x width, channel, row, column, values 0..1),
/// resized to height x width. Given by the caller, since decoding belongs to viz/ (OpenCV) and core stays without it.
using ImageReader = std::function<std::vector<float>(const std::filesystem::path&, Index height, Index width)>;

/// Reads, draws, splits, normalises (statistics from the training rows only) and validates. Same options and seed: same
/// bytes. Throws DataError (exit 3) naming file, row and column; ConfigError never (options were checked when parsed).
template <class Scalar>
Split<Scalar> load_dataset(const DatasetOptions& options, const RandomStream& stream,
                           const ImageReader& read_image = {});

/// One line of `ansatz list datasets` and the text of `ansatz data NAME`.
struct DatasetInfo {
  std::string name, summary;
  std::vector<std::string> files;               ///< what must be in the folder (alternatives separated by '|')
  std::vector<std::filesystem::path> searched;  ///< in order: $ANSATZ_DATA/<name>, system folders
  std::string how_to_get;
};
const std::vector<DatasetInfo>& dataset_table();

/// The folder a named data set is read from: options.path, $ANSATZ_DATA/<name>, system locations. DataError listing all
/// places and how to get it if none holds the files.
std::filesystem::path find_dataset(const DatasetOptions& options);

/// n, d, c and image shape without loading the values, where headers tell (for `ansatz plan`); zeros where unknown.
struct DatasetSize {
  Index train = 0, validation = 0, test = 0, dimension = 0, outputs = 0;
};
DatasetSize dataset_size(const DatasetOptions& options);

}  // namespace ansatz
