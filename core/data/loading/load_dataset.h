// From a data set's name and options to a Split: the table of loaders and what they share.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/data/class_coding.h"
#include "core/data/composed/starred_images.h"
#include "core/data/dataset.h"
#include "core/data/formats/decoded_image.h"
#include "core/data/formats/image_source.h"
#include "core/data/loading/sampling.h"
#include "core/data/normalization.h"
#include "core/data/synthetic/synthetic.h"
#include "core/data/tables/array_dataset.h"
#include "core/data/tables/csv_options.h"
#include "core/data/text/text_dataset.h"

namespace ansatz {

/// The `dataset` section of a config: keys of all data sets, and keys that only some have. Paths are absolute or empty.
struct DatasetOptions {
  std::string name;              ///< a row of dataset_table()
  std::filesystem::path path;    ///< overrides where to look
  Task task = Task::regression;  ///< of arrays and csv; image sets are classification
  DrawOptions draw;
  Normalization normalize = Normalization::none;
  TargetNormalization target_scaling = TargetNormalization::none;  ///< of a regression on csv or arrays
  ClassCoding class_coding = ClassCoding::one_hot;  ///< how classes become targets (core/data/class_coding.h)
  ImageOptions image;                               ///< of all image sets
  std::string attribute;                            ///< celeba: the attribute that is the target
  StarredOptions starred;                           ///< starred_planes_trucks
  ArrayOptions arrays;
  CsvOptions csv;
  TextOptions text;
  LowRankOptions low_rank;
};

/// Reads, draws rows (core/data/loading/sampling.h), validates and normalises (core/data/normalization.h; statistics
/// from the training rows only). Same options and seed: same bytes. Throws DataError (exit 3) naming file, row and
/// column; ConfigError only for a synthetic task that cannot be made (core/data/synthetic/synthetic.h).
template <class Scalar>
Split<Scalar> load_dataset(const DatasetOptions& options, const RandomStream& stream,
                           const ImageReader& read_image = {});

/// What the files of a set hold; it decides which keys a set has.
enum class DatasetForm {
  images,       ///< of one size, in files of many
  image_files,  ///< of any size, a file each
  table,
  arrays,
  texts,    ///< labelled, a file of many
  computed  ///< no files: a formula
};

/// One line of `ansatz list datasets` and the text of `ansatz data NAME`.
struct DatasetInfo {
  std::string name, summary;
  std::vector<std::string> files;               ///< what must be in the folder (alternatives separated by '|')
  std::vector<std::filesystem::path> searched;  ///< in order: $ANSATZ_DATA/<name>, system folders
  std::string how_to_get;
  std::vector<std::string> made_from;  ///< data sets whose images it is made of
  DatasetForm form = DatasetForm::images;
  bool in_one_piece = false;  ///< it may come without test rows of its own; they are split off then
};
const std::vector<DatasetInfo>& dataset_table();

/// The folder a named data set is read from: `path`, $ANSATZ_DATA/<name>, system locations. DataError listing all
/// places and how to get it if none holds the files.
std::filesystem::path find_dataset(const std::string& name, const std::filesystem::path& path);

/// The folder of a data set from which another one is made. `path`, if given, is that of the other one, and holds
/// <name>/.
std::filesystem::path find_component(const std::filesystem::path& path, const std::string& name);

/// What load_dataset() will give, for `ansatz plan`. It comes from headers and labels, without reading
/// input values (though a CSV file is read through). Throws DataError as load_dataset() does for missing files and for
/// draws that cannot be made.
struct DatasetSize {
  Index train = 0, validation = 0, test = 0, dimension = 0, outputs = 0;
  double reading_bytes = 0;  ///< held while the values are read, beyond the drawn rows themselves
  TargetScaling target_scaling = {};
  std::vector<std::string> notes = {};  ///< what the files' columns became, and what is odd about them
};
/// `stream`: of load_dataset(), on which the target scaling depends (for which the targets are read); the sizes do not.
DatasetSize dataset_size(const DatasetOptions& options, const RandomStream& stream = RandomStream(0));

}  // namespace ansatz
