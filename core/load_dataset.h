// From a data set's name and options to a Split: the table of loaders and what they share.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/cell_format.h"
#include "core/class_coding.h"
#include "core/dataset.h"
#include "core/decoded_image.h"
#include "core/random.h"

namespace ansatz {

enum class Normalization { none, unit_norm, standardize, min_max };
enum class MissingValues { error, drop, mean };
enum class ImageCrop { whole, center };
enum class RowDraw { random, first };
enum class StarMarker { star, square };

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
  Index train_size = 0;        ///< 0: all there are
  Index train_limit = 0;       ///< 0: none. So many training rows, or all if there are fewer
  Index test_size = 0;
  RowDraw draw = RowDraw::random;    ///< train and test rows: without replacement, or the first of the file (class)
  double validation_fraction = 0.2;  ///< of the drawn training rows, split off by the stream "data/validation"
  Index validation_size = 0;         ///< synthetic tasks: rows of their own; else overrides the fraction if > 0
  double test_fraction = 0.2;        ///< for sets that come in one piece (csv, image_folder)
  Normalization normalize = Normalization::none;
  std::vector<std::string> classes;  ///< keep these classes only, in this order (by name); empty: all
  bool balanced = false;             ///< draw equally many of each class
  std::vector<Index> class_sizes;    ///< training rows to draw of each class; empty: by train_size and balanced
  ClassCoding class_coding = ClassCoding::one_hot;  ///< how classes become targets (core/class_coding.h)
  // images
  Index image_height = 0, image_width = 0;  ///< resize to; 0: as stored (image files: both needed)
  ImageCrop crop = ImageCrop::whole;        ///< image files: the part that is resized (core/image_resize.h)
  std::string attribute;                    ///< celeba: what is told apart
  StarMarker marker = StarMarker::star;     ///< starred_planes_trucks
  std::string source = "cifar10";           ///< starred_planes_trucks: or stl10
  // arrays; core/array_dataset.h says what the targets may be
  std::filesystem::path train_inputs, train_targets, validation_inputs, validation_targets, test_inputs, test_targets;
  Task task = Task::regression;           ///< of arrays and csv; image sets are classification
  std::optional<ImageShape> image_shape;  ///< of d values; absent: the shape of an n x c x h x w array
  // csv
  std::string target_column;             ///< by header name; required for csv
  std::vector<std::string> categorical;  ///< columns to one-hot, beside those with a value that is no number
  std::vector<std::string> ignore_columns;
  std::string delimiter = ",";                   ///< one character, or "tab"
  CellFormat::Options cells;                     ///< what is a number, and what is missing
  MissingValues missing = MissingValues::error;  ///< drop: rows; mean: of the column over the drawn training rows
  std::filesystem::path test_path;               ///< csv: test rows in a file of their own
  // synthetic
  LowRankOptions low_rank;
};

/// Reads, draws rows (core/sampling.h), validates and normalises (core/normalization.h; statistics from the training
/// rows only). Same options and seed: same bytes. Throws DataError (exit 3) naming file, row and column; ConfigError
/// only for a synthetic task that cannot be made (core/synthetic.h).
template <class Scalar>
Split<Scalar> load_dataset(const DatasetOptions& options, const RandomStream& stream,
                           const ImageReader& read_image = {});

/// One line of `ansatz list datasets` and the text of `ansatz data NAME`.
struct DatasetInfo {
  std::string name, summary;
  std::vector<std::string> files;               ///< what must be in the folder (alternatives separated by '|')
  std::vector<std::filesystem::path> searched;  ///< in order: $ANSATZ_DATA/<name>, system folders
  std::string how_to_get;
  std::vector<std::string> made_from;  ///< data sets whose images it is made of
};
const std::vector<DatasetInfo>& dataset_table();

/// The folder a named data set is read from: options.path, $ANSATZ_DATA/<name>, system locations. DataError listing all
/// places and how to get it if none holds the files.
std::filesystem::path find_dataset(const DatasetOptions& options);

/// The options of a data set that options.name is made of: options.path, if given, is the folder that holds <name>/.
DatasetOptions component(const DatasetOptions& options, const std::string& name);

/// What load_dataset will give, from headers and labels, without reading the input values (for `ansatz plan`; a CSV
/// file is read through). Throws DataError as load_dataset does for missing files and for draws that cannot be made.
struct DatasetSize {
  Index train = 0, validation = 0, test = 0, dimension = 0, outputs = 0;
  double reading_bytes = 0;  ///< held while the values are read, beyond the rows drawn
};
DatasetSize dataset_size(const DatasetOptions& options);

}  // namespace ansatz
