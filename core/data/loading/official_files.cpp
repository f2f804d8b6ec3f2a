#include "core/data/loading/official_files.h"

#include <algorithm>

namespace ansatz {
namespace {

constexpr const char* kDebian = "Debian's dataset-fashion-mnist";
constexpr Index kCifarBatch = 10000 * 3073;

OfficialFile cifar_batch(const std::string& name) { return {"cifar-10-batches-bin/" + name, kCifarBatch, ""}; }

const std::vector<OfficialFiles>& table() {
  static const std::vector<OfficialFiles> sets = {
      {"mnist",
       "https://ossci-datasets.s3.amazonaws.com/mnist/",
       {{"train-images-idx3-ubyte.gz", 9912422, "f68b3c2dcbeaaa9fbdd348bbdeb94873"},
        {"train-labels-idx1-ubyte.gz", 28881, "d53e105ee54ea40749a09fcbcd1e9432"},
        {"t10k-images-idx3-ubyte.gz", 1648877, "9fb629c4189551a2d022fa330f9573f3"},
        {"t10k-labels-idx1-ubyte.gz", 4542, "ec29112dd5afa0611ce80d1b7f02629c"}},
       {},
       "",
       0},
      {"fashion_mnist",
       "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
       {{"train-images-idx3-ubyte.gz",
         26421880,
         "8d4fb7e6c68d591d4c3dfef9ec88bf0d",
         {{kDebian, 26421856, "cf8536b0aa1a6ac5fa3f23001093305c"}}},
        {"train-labels-idx1-ubyte.gz",
         29515,
         "25c81989df183df01b3e8a0aad5dffbe",
         {{kDebian, 29491, "10bea18fdb374794d4bb42e356e600c9"}}},
        {"t10k-images-idx3-ubyte.gz",
         4422102,
         "bef4ecab320f06d8554ea6380940ec79",
         {{kDebian, 4422079, "f78720b4224f21cce2f2ccf2d7a94c9a"}}},
        {"t10k-labels-idx1-ubyte.gz",
         5148,
         "bb300cfdad3c16e7a12a480ee83cd310",
         {{kDebian, 5125, "0d30e22e447f3c33dab9ed536400ac01"}}}},
       {},
       "",
       0},
      {"cifar10",
       "https://www.cs.toronto.edu/~kriz/",
       {{"cifar-10-binary.tar.gz", 170052171, "c32a1d4ab5d03f1284b67883e8d87530"}},
       {cifar_batch("data_batch_1.bin"), cifar_batch("data_batch_2.bin"), cifar_batch("data_batch_3.bin"),
        cifar_batch("data_batch_4.bin"), cifar_batch("data_batch_5.bin"), cifar_batch("test_batch.bin")},
       "",
       0},
      {"svhn",
       "http://ufldl.stanford.edu/housenumbers/",
       {{"train_32x32.mat", 182040794, "e26dedcc434d2e4c54c9b2d4a06d8373"},
        {"test_32x32.mat", 64275384, "eb5a983be6a315427106f1b164d9cef3"}},
       {},
       "",
       0},
      {"stl10",
       "http://ai.stanford.edu/~acoates/stl10/",
       {{"stl10_binary.tar.gz", 2640397119, "91f7769df0f17e558f3565bffb0c7dfb"}},
       {{"stl10_binary/train_X.bin", 5000 * 27648, "918c2871b30a85fa023e0c44e0bee87f"},
        {"stl10_binary/train_y.bin", 5000, "5a34089d4802c674881badbb80307741"},
        {"stl10_binary/test_X.bin", 8000 * 27648, "7f263ba9f9e0b06b93213547f721ac82"},
        {"stl10_binary/test_y.bin", 8000, "36f9794fa4beb8a2c72628de14fa638e"}},
       "",
       0},
      {"celeba",
       "",
       {{"img_align_celeba.zip", 1443490838, "00d2c5bc6d35e252742224ab0c1e8fcb"},
        {"list_attr_celeba.txt", 26721026, "75e246fa4810816ffd6ee81facbd244c"},
        {"list_eval_partition.txt", 2836386, "d32c9cbf5e040fd4025c592c306e6668"}},
       {{"list_attr_celeba.txt", 26721026, "75e246fa4810816ffd6ee81facbd244c"},
        {"list_eval_partition.txt", 2836386, "d32c9cbf5e040fd4025c592c306e6668"}},
       "img_align_celeba",
       202599},
  };
  return sets;
}

}  // namespace

const OfficialFiles* official_files(const std::string& dataset) {
  const auto found =
      std::find_if(table().begin(), table().end(), [&](const OfficialFiles& set) { return set.dataset == dataset; });
  return found == table().end() ? nullptr : &*found;
}

}  // namespace ansatz
