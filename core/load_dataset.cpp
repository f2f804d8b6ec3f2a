#include "core/load_dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/array_dataset.h"
#include "core/celeba.h"
#include "core/cifar10.h"
#include "core/cifar_mnist.h"
#include "core/crowded_digits.h"
#include "core/csv_dataset.h"
#include "core/data_files.h"
#include "core/error.h"
#include "core/idx.h"
#include "core/image_folder.h"
#include "core/image_source.h"
#include "core/normalization.h"
#include "core/sampling.h"
#include "core/starred_images.h"
#include "core/stl10.h"
#include "core/svhn.h"
#include "core/synthetic.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

// The sets that come as files: each opens to an outline and a way to read its values.

struct Idx {
  template <class Scalar>
  static DataSource<Scalar> open(const DatasetOptions& options, const ImageReader&) {
    return open_idx<Scalar>(options, {});
  }
};

struct Mnist {
  template <class Scalar>
  static DataSource<Scalar> open(const DatasetOptions& options, const ImageReader&) {
    return open_mnist<Scalar>(options);
  }
};

struct FashionMnist {
  template <class Scalar>
  static DataSource<Scalar> open(const DatasetOptions& options, const ImageReader&) {
    return open_idx<Scalar>(options, {"T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt",
                                      "Sneaker", "Bag", "Ankle boot"});
  }
};

struct Cifar10 {
  template <class Scalar>
  static DataSource<Scalar> open(const DatasetOptions& options, const ImageReader&) {
    return open_cifar10<Scalar>(options);
  }
};

struct Stl10 {
  template <class Scalar>
  static DataSource<Scalar> open(const DatasetOptions& options, const ImageReader&) {
    return open_stl10<Scalar>(options);
  }
};

struct Svhn {
  template <class Scalar>
  static DataSource<Scalar> open(const DatasetOptions& options, const ImageReader&) {
    return open_svhn<Scalar>(options);
  }
};

struct CifarMnist {
  template <class Scalar>
  static DataSource<Scalar> open(const DatasetOptions& options, const ImageReader&) {
    return open_cifar_mnist<Scalar>(options);
  }
};

struct CrowdedDigits {
  template <class Scalar>
  static DataSource<Scalar> open(const DatasetOptions& options, const ImageReader&) {
    return open_crowded_digits<Scalar>(options);
  }
};

struct StarredPlanesTrucks {
  template <class Scalar>
  static DataSource<Scalar> open(const DatasetOptions& options, const ImageReader&) {
    return open_starred_planes_trucks<Scalar>(options);
  }
};

struct CelebA {
  template <class Scalar>
  static DataSource<Scalar> open(const DatasetOptions& options, const ImageReader& read_image) {
    return open_celeba<Scalar>(options, read_image);
  }
};

struct Arrays {
  template <class Scalar>
  static DataSource<Scalar> open(const DatasetOptions& options, const ImageReader&) {
    return open_arrays<Scalar>(options);
  }
};

struct Csv {
  template <class Scalar>
  static DataSource<Scalar> open(const DatasetOptions& options, const ImageReader&) {
    return open_csv<Scalar>(options);
  }
};

struct ImageFolder {
  template <class Scalar>
  static DataSource<Scalar> open(const DatasetOptions& options, const ImageReader& read_image) {
    return open_image_folder<Scalar>(options, read_image);
  }
};

template <class Set, class Scalar>
DataSource<Scalar> open_resized(const DatasetOptions& options, const ImageReader& read_image) {
  return resized(Set::template open<Scalar>(options, read_image), options.image_height, options.image_width);
}

template <class Set, class Scalar>
Split<Scalar> load_files(const DatasetOptions& options, const RandomStream& stream, const ImageReader& read_image) {
  const DataSource<Scalar> source = open_resized<Set, Scalar>(options, read_image);
  Split<Scalar> split = read_drawn(source, draw_rows(source.outline, options, stream));
  if (options.missing == MissingValues::mean) fill_missing_with_mean(split, source.outline.input_names);
  return split;
}

/// Row counts do not depend on the seed, so any will do.
template <class Set>
DatasetSize size_of_files(const DatasetOptions& options) {
  const DataOutline outline = open_resized<Set, float>(options, {}).outline;
  const DrawnRows drawn = draw_rows(outline, options, RandomStream(0));
  const auto rows = [](const std::vector<Index>& indices) { return static_cast<Index>(indices.size()); };
  const Index outputs = drawn.class_names.empty() ? outline.outputs : static_cast<Index>(drawn.class_names.size());
  return {rows(drawn.train), rows(drawn.validation), rows(drawn.test), outline.dimension, outputs};
}

template <class Scalar>
Split<Scalar> load_low_rank(const DatasetOptions& options, const RandomStream& stream, const ImageReader&) {
  if (options.train_size < 1 || options.test_size < 1) {
    throw DataError("low_rank: dataset.train_size and test_size must be given, as there is no end of rows");
  }
  return make_low_rank<Scalar>(options.low_rank, options.train_size, options.validation_size, options.test_size,
                               stream);
}

DatasetSize size_of_low_rank(const DatasetOptions& options) {
  return {options.train_size, options.validation_size, options.test_size, options.low_rank.dimension, 1};
}

/// A row of the table.
struct DataSet {
  const char* name;
  const char* summary;
  std::vector<std::string> files;    ///< needed in the folder, alternatives separated by '|'
  std::vector<std::string> folders;  ///< below $ANSATZ_DATA and below the system's folder
  const char* sub_folder;            ///< where the files may also lie, or ""
  const char* how_to_get;
  Split<float> (*load_float)(const DatasetOptions&, const RandomStream&, const ImageReader&);
  Split<double> (*load_double)(const DatasetOptions&, const RandomStream&, const ImageReader&);
  DatasetSize (*size)(const DatasetOptions&);
  std::vector<std::string> made_from = {};
};

template <class Set>
DataSet row(const char* name, const char* summary, std::vector<std::string> files, std::vector<std::string> folders,
            const char* sub_folder, const char* how_to_get) {
  return {name,
          summary,
          std::move(files),
          std::move(folders),
          sub_folder,
          how_to_get,
          load_files<Set, float>,
          load_files<Set, double>,
          size_of_files<Set>};
}

/// A set made of others, which lie where those are looked for.
template <class Set>
DataSet made_of(std::vector<std::string> others, const char* name, const char* summary) {
  DataSet set = row<Set>(name, summary, {}, {}, "", "");
  set.made_from = std::move(others);
  return set;
}

const std::vector<DataSet>& data_sets() {
  static const std::vector<DataSet> table = {
      row<FashionMnist>("fashion_mnist", "70,000 images of clothes, 28 x 28, 10 classes", idx_files(),
                        {"fashion_mnist", "fashion-mnist"}, "",
                        "apt-get install dataset-fashion-mnist (Debian, Ubuntu); or its four idx files in "
                        "$ANSATZ_DATA/fashion_mnist"),
      row<Mnist>("mnist", "70,000 handwritten digits, 28 x 28, 10 classes", idx_files(), {"mnist"}, "",
                 "put its four idx files into $ANSATZ_DATA/mnist; torchvision.datasets.MNIST(root, download=True) "
                 "leaves them in root/MNIST/raw"),
      row<Idx>("idx", "images and labels in MNIST's format, in the folder `path`", idx_files(), {}, "", ""),
      row<Cifar10>(
          "cifar10", "60,000 colour photographs, 3 x 32 x 32, 10 classes", cifar10_files(), {"cifar10"},
          "cifar-10-batches-bin",
          "unpack cifar-10-binary.tar.gz (https://www.cs.toronto.edu/~kriz/cifar.html) into $ANSATZ_DATA/cifar10"),
      row<Svhn>("svhn", "99,289 house numbers, 3 x 32 x 32, 10 classes", svhn_files(), {"svhn"}, "",
                "put train_32x32.mat and test_32x32.mat (http://ufldl.stanford.edu/housenumbers/) into "
                "$ANSATZ_DATA/svhn"),
      row<Stl10>("stl10", "13,000 labelled colour photographs, 3 x 96 x 96, 10 classes", stl10_files(), {"stl10"},
                 "stl10_binary",
                 "unpack stl10_binary.tar.gz (http://ai.stanford.edu/~acoates/stl10/) into $ANSATZ_DATA/stl10"),
      row<CelebA>(
          "celeba", "202,599 faces with 40 attributes; one of them is the class", celeba_files(), {"celeba"}, "",
          "unpack img_align_celeba.zip into $ANSATZ_DATA/celeba and put list_attr_celeba.txt and "
          "list_eval_partition.txt beside it (https://mmlab.ie.cuhk.edu.hk/projects/CelebA.html; research only)"),
      made_of<CrowdedDigits>({"mnist"}, "crowded_digits",
                             "MNIST digits between two others, coloured, 3 x 32 x 32: a stand-in for svhn"),
      made_of<StarredPlanesTrucks>(
          {"cifar10", "stl10"}, "starred_planes_trucks",
          "airplanes and trucks of `source`, 3 x 96 x 96, whose class a star gives away (the paper's Fig. 7)"),
      made_of<CifarMnist>({"cifar10", "mnist"}, "cifar_mnist",
                          "a CIFAR-10 photograph beside an MNIST digit, 3 x 32 x 64 (the paper's Fig. 8)"),
      row<ImageFolder>("image_folder",
                       "images in path/<class>/ (or path/train/<class>/ and path/test/<class>/), resized", {}, {}, "",
                       ""),
      row<Csv>("csv", "a table with a header line in the file `path`; regression or classification", {}, {}, "", ""),
      row<Arrays>("arrays", "your own NumPy arrays: train_inputs, train_targets, test_inputs, test_targets (.npy)", {},
                  {}, "", ""),
      {"low_rank",
       "synthetic targets of few directions: x1x2, he2_he4, piecewise, custom polynomials",
       {},
       {},
       "",
       "",
       load_low_rank<float>,
       load_low_rank<double>,
       size_of_low_rank},
  };
  return table;
}

const DataSet& data_set(const std::string& name) {
  std::vector<std::string> names;
  for (const DataSet& set : data_sets()) {
    if (set.name == name) return set;
    names.emplace_back(set.name);
  }
  throw DataError(fmt::format("there is no data set \"{}\"; there are: {}", name, fmt::join(names, ", ")));
}

/// Where a set is looked for without a path. An unset ANSATZ_DATA stands there by its name.
std::vector<fs::path> places(const DataSet& set) {
  constexpr const char* kSystemFolder = "/usr/share/datasets";
  const char* own = std::getenv("ANSATZ_DATA");
  std::vector<fs::path> result;
  for (const fs::path& root : {fs::path(own && *own ? own : "$ANSATZ_DATA"), fs::path(kSystemFolder)}) {
    for (const std::string& folder : set.folders) {
      result.push_back(root / folder);
      if (*set.sub_folder) result.push_back(root / folder / set.sub_folder);
    }
  }
  return result;
}

/// Why the files are not in a folder, or "".
std::string lacks(const fs::path& folder, const DataSet& set) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return "no such folder";
  for (const std::string& alternatives : set.files) {
    if (!find_file(folder, alternatives)) return "no " + split_alternatives(alternatives).front();
  }
  return "";
}

}  // namespace

template <class Scalar>
Split<Scalar> load_dataset(const DatasetOptions& options, const RandomStream& stream, const ImageReader& read_image) {
  const DataSet& set = data_set(options.name);
  Split<Scalar> split;
  if constexpr (std::is_same_v<Scalar, float>)
    split = set.load_float(options, stream, read_image);
  else
    split = set.load_double(options, stream, read_image);
  validate(split);
  normalize(split, options.normalize);
  encode_classes(split, options.class_coding);
  return split;
}

const std::vector<DatasetInfo>& dataset_table() {
  static const std::vector<DatasetInfo> table = [] {
    std::vector<DatasetInfo> infos;
    for (const DataSet& set : data_sets())
      infos.push_back({set.name, set.summary, set.files, places(set), set.how_to_get, set.made_from});
    return infos;
  }();
  return table;
}

std::filesystem::path find_dataset(const DatasetOptions& options) {
  const DataSet& set = data_set(options.name);
  std::vector<fs::path> folders = places(set);
  if (!options.path.empty()) {
    folders = {options.path};
    if (*set.sub_folder) folders.push_back(options.path / set.sub_folder);
  }
  if (folders.empty()) throw DataError(options.name + ": dataset.path is not given");
  std::vector<std::string> looked;
  for (const fs::path& folder : folders) {
    const std::string missing = lacks(folder, set);
    if (missing.empty()) return folder;
    looked.push_back(fmt::format("{} ({})", folder.string(), missing));
  }
  const std::string how = set.how_to_get;
  throw DataError(fmt::format("data set {} not found; looked in {}{}", options.name, fmt::join(looked, ", "),
                              how.empty() ? "" : "; to get it: " + how));
}

DatasetOptions component(const DatasetOptions& options, const std::string& name) {
  DatasetOptions part;
  part.name = name;
  if (!options.path.empty()) part.path = options.path / name;
  return part;
}

DatasetSize dataset_size(const DatasetOptions& options) {
  DatasetSize size = data_set(options.name).size(options);
  if (options.task == Task::classification) size.outputs = coded_outputs(options.class_coding, size.outputs);
  return size;
}

template Split<float> load_dataset(const DatasetOptions&, const RandomStream&, const ImageReader&);
template Split<double> load_dataset(const DatasetOptions&, const RandomStream&, const ImageReader&);

}  // namespace ansatz
