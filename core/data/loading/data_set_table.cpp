#include "core/data/loading/data_set_table.h"

#include "core/data/composed/cifar_mnist.h"
#include "core/data/composed/crowded_digits.h"
#include "core/data/composed/starred_images.h"
#include "core/data/sets/celeba.h"
#include "core/data/sets/cifar10.h"
#include "core/data/sets/emnist.h"
#include "core/data/sets/idx.h"
#include "core/data/sets/image_folder.h"
#include "core/data/sets/stl10.h"
#include "core/data/sets/svhn.h"
#include "core/data/tables/array_dataset.h"
#include "core/data/tables/csv_dataset.h"

namespace ansatz {
namespace {

std::filesystem::path folder_of(const DatasetOptions& options) { return find_dataset(options.name, options.path); }

RowSource open_starred(const DatasetOptions& options) {
  const std::filesystem::path folder = find_component(options.path, options.starred.photographs);
  return open_starred_planes_trucks(options.starred.photographs == "stl10" ? open_stl10(folder) : open_cifar10(folder),
                                    options.starred.marker, options.image);
}

RowSource open_pairs(const DatasetOptions& options) {
  const std::filesystem::path cifar = find_component(options.path, "cifar10");
  return open_cifar_mnist(cifar, find_component(options.path, "mnist"));
}

/// One of the sets that EMNIST is distributed as; all of them lie in one folder.
DataSet emnist(const char* name, const char* summary) {
  return {
      name,
      summary,
      emnist_files(name),
      {"emnist"},
      "gzip",
      "unpack gzip.zip (https://www.nist.gov/itl/products-and-services/emnist-dataset) into $ANSATZ_DATA/emnist; "
      "torchvision.datasets.EMNIST(root, split, download=True) leaves it in root/EMNIST/raw",
      [](const DatasetOptions& options, const ImageReader&) { return open_emnist(options.name, folder_of(options)); }};
}

}  // namespace

const std::vector<DataSet>& data_set_table() {
  using Options = const DatasetOptions&;
  using Reader = const ImageReader&;
  static const std::vector<DataSet> table = {
      {"fashion_mnist",
       "70,000 images of clothes, 28 x 28, 10 classes",
       idx_files(),
       {"fashion_mnist", "fashion-mnist"},
       "",
       "apt-get install dataset-fashion-mnist (Debian, Ubuntu); or its four idx files in $ANSATZ_DATA/fashion_mnist",
       [](Options options, Reader) {
         return open_idx({"fashion_mnist",
                          idx_files(),
                          {"T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag",
                           "Ankle boot"}},
                         folder_of(options));
       }},
      {"mnist",
       "70,000 handwritten digits, 28 x 28, 10 classes",
       idx_files(),
       {"mnist"},
       "",
       "put its four idx files into $ANSATZ_DATA/mnist; torchvision.datasets.MNIST(root, download=True) leaves them in "
       "root/MNIST/raw",
       [](Options options, Reader) { return open_mnist(folder_of(options)); }},
      {"kmnist",
       "70,000 handwritten characters of cursive Japanese, 28 x 28, 10 classes",
       idx_files(),
       {"kmnist"},
       "",
       "put its four idx files (http://codh.rois.ac.jp/kmnist/) into $ANSATZ_DATA/kmnist; "
       "torchvision.datasets.KMNIST(root, "
       "download=True) leaves them in root/KMNIST/raw",
       [](Options options, Reader) {
         return open_idx({"kmnist", idx_files(), {"o", "ki", "su", "tsu", "na", "ha", "ma", "ya", "re", "wo"}},
                         folder_of(options));
       }},
      emnist("emnist_balanced", "131,600 handwritten digits and letters, 28 x 28, 47 classes of equal size"),
      emnist("emnist_byclass", "814,255 handwritten digits and letters, 28 x 28, 62 classes"),
      emnist("emnist_bymerge", "814,255 handwritten digits and letters, 28 x 28, 47 classes"),
      emnist("emnist_letters", "145,600 handwritten letters, 28 x 28, 26 classes (either case)"),
      emnist("emnist_digits", "280,000 handwritten digits, 28 x 28, 10 classes"),
      emnist("emnist_mnist", "70,000 handwritten digits, 28 x 28, 10 classes: MNIST made as EMNIST"),
      {"idx",
       "images and labels in MNIST's format, in the folder `path`",
       idx_files(),
       {},
       "",
       "",
       [](Options options, Reader) {
         return open_idx({"idx", idx_files(), {}}, folder_of(options));
       }},
      {"cifar10",
       "60,000 colour photographs, 3 x 32 x 32, 10 classes",
       cifar10_files(),
       {"cifar10"},
       "cifar-10-batches-bin",
       "unpack cifar-10-binary.tar.gz (https://www.cs.toronto.edu/~kriz/cifar.html) into $ANSATZ_DATA/cifar10",
       [](Options options, Reader) { return open_cifar10(folder_of(options)); }},
      {"svhn",
       "99,289 house numbers, 3 x 32 x 32, 10 classes",
       svhn_files(),
       {"svhn"},
       "",
       "put train_32x32.mat and test_32x32.mat (http://ufldl.stanford.edu/housenumbers/) into $ANSATZ_DATA/svhn",
       [](Options options, Reader) { return open_svhn(folder_of(options)); }},
      {"stl10",
       "13,000 labelled colour photographs, 3 x 96 x 96, 10 classes",
       stl10_files(),
       {"stl10"},
       "stl10_binary",
       "unpack stl10_binary.tar.gz (http://ai.stanford.edu/~acoates/stl10/) into $ANSATZ_DATA/stl10",
       [](Options options, Reader) { return open_stl10(folder_of(options)); }},
      {"celeba",
       "202,599 faces with 40 attributes; one of them is the class",
       celeba_files(),
       {"celeba"},
       "",
       "unpack img_align_celeba.zip into $ANSATZ_DATA/celeba and put list_attr_celeba.txt and list_eval_partition.txt "
       "beside it (https://mmlab.ie.cuhk.edu.hk/projects/CelebA.html; research only)",
       [](Options options, Reader read_image) {
         return open_celeba(folder_of(options), options.attribute, options.image, read_image);
       },
       {},
       DatasetForm::image_files,
       true},
      {"crowded_digits",
       "MNIST digits between two others, coloured, 3 x 32 x 32: a stand-in for svhn",
       {},
       {},
       "",
       "",
       [](Options options, Reader) { return open_crowded_digits(find_component(options.path, "mnist")); },
       {"mnist"}},
      {"starred_planes_trucks",
       "airplanes and trucks of `source`, 3 x 96 x 96, whose class a star gives away (the paper's Fig. 7)",
       {},
       {},
       "",
       "",
       [](Options options, Reader) { return open_starred(options); },
       {"cifar10", "stl10"}},
      {"cifar_mnist",
       "a CIFAR-10 photograph beside an MNIST digit, 3 x 32 x 64 (the paper's Fig. 8)",
       {},
       {},
       "",
       "",
       [](Options options, Reader) { return open_pairs(options); },
       {"cifar10", "mnist"}},
      {"image_folder",
       "images in path/<class>/ (or path/train/<class>/ and path/test/<class>/), resized",
       {},
       {},
       "",
       "",
       [](Options options, Reader read_image) {
         return open_image_folder(folder_of(options), options.image, read_image);
       },
       {},
       DatasetForm::image_files,
       true},
      {"csv",
       "a table with a header line in the file `path`; regression or classification",
       {},
       {},
       "",
       "",
       [](Options options, Reader) { return open_csv(options.path, options.csv, options.task); },
       {},
       DatasetForm::table,
       true},
      {"text",
       "labelled texts, one a row, in the file `path`: their words or characters, weighted by TF-IDF",
       {},
       {},
       "",
       "",
       [](Options options, Reader) { return open_texts(options.path, options.text); },
       {},
       DatasetForm::texts,
       true},
      {"sms_spam",
       "5,574 text messages, 13 % of them spam, as TF-IDF weights of their words",
       {"SMSSpamCollection"},
       {"sms_spam"},
       "",
       "unpack sms+spam+collection.zip (https://archive.ics.uci.edu/dataset/228/sms+spam+collection) into "
       "$ANSATZ_DATA/sms_spam",
       [](Options options, Reader) { return open_texts(folder_of(options) / "SMSSpamCollection", options.text); },
       {},
       DatasetForm::texts,
       true},
      {"arrays",
       "your own NumPy arrays: train_inputs, train_targets, test_inputs, test_targets (.npy)",
       {},
       {},
       "",
       "",
       [](Options options, Reader) { return open_arrays(options.arrays, options.task); },
       {},
       DatasetForm::arrays},
      {"low_rank",
       "synthetic targets of few directions: x1x2, he2_he4, piecewise, hermite, custom polynomials",
       {},
       {},
       "",
       "",
       nullptr,
       {},
       DatasetForm::computed},
  };
  return table;
}

}  // namespace ansatz
