#include "core/data_sets.h"

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
#include "core/read_drawn.h"
#include "core/starred_images.h"
#include "core/stl10.h"
#include "core/svhn.h"
#include "core/synthetic.h"

namespace ansatz {
namespace {

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
  return read_drawn(source, draw_rows(source.outline, options, stream), options);
}

/// Row counts do not depend on the seed, so any will do.
template <class Set>
DatasetSize size_of_files(const DatasetOptions& options) {
  const DataOutline outline = open_resized<Set, float>(options, {}).outline;
  const DrawnRows drawn = draw_rows(outline, options, RandomStream(0));
  const auto rows = [](const std::vector<Index>& indices) { return static_cast<Index>(indices.size()); };
  const Index outputs = drawn.class_names.empty() ? outline.outputs : static_cast<Index>(drawn.class_names.size());
  return {rows(drawn.train), rows(drawn.validation), rows(drawn.test), outline.dimension,
          outputs,           outline.reading_bytes};
}

template <class Scalar>
Split<Scalar> load_low_rank(const DatasetOptions& options, const RandomStream& stream, const ImageReader&) {
  if (options.train_size < 1 || options.test_size < 1) {
    throw DataError("low_rank: dataset.train_size and test_size must be given, as there is no end of rows");
  }
  Split<Scalar> split =
      make_low_rank<Scalar>(options.low_rank, options.train_size, options.validation_size, options.test_size, stream);
  normalize(split, options.normalize);
  return split;
}

DatasetSize size_of_low_rank(const DatasetOptions& options) {
  return {options.train_size, options.validation_size, options.test_size, options.low_rank.dimension, 1};
}

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

}  // namespace

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

}  // namespace ansatz
