#include "core/cifar10.h"

#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <sstream>

#include "core/byte_images.h"
#include "core/data_files.h"
#include "core/error.h"
#include "core/files.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

constexpr Index kPixels = 3 * 32 * 32;
constexpr Index kRecord = 1 + kPixels;
constexpr const char* kTrainingBatches =
    "data_batch_1.bin|data_batch_2.bin|data_batch_3.bin|data_batch_4.bin|data_batch_5.bin";

std::vector<std::string> class_names(const fs::path& folder) {
  std::vector<std::string> names;
  if (const std::optional<fs::path> meta = find_file(folder, "batches.meta.txt")) {
    std::istringstream words(read_file(*meta));
    for (std::string word; words >> word;) names.push_back(word);
  }
  if (names.size() != 10) {
    names = {"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"};
  }
  return names;
}

/// Adds a batch's rows, reading only its label bytes.
void add_batch(const fs::path& path, PartOutline& part) {
  std::error_code error;
  const auto size = static_cast<Index>(fs::file_size(path, error));
  if (error || size == 0 || size % kRecord != 0) {
    throw DataError(fmt::format(
        "{}: truncated or not a CIFAR-10 batch: {} bytes are not a multiple of {} (a label and 3 x 32 x 32 pixels)",
        path.string(), error ? 0 : size, kRecord));
  }
  std::ifstream file(path, std::ios::binary);
  for (Index row = 0; row < size / kRecord; ++row) {
    file.seekg(row * kRecord);
    const int label = file.get();
    if (!file) throw DataError(path.string() + ": cannot be read");
    if (label > 9)
      throw DataError(
          fmt::format("{}: record {} (counted from 0) has label {}; CIFAR-10 has 0 to 9", path.string(), row, label));
    part.labels.push_back(label);
  }
  part.rows += size / kRecord;
}

template <class Scalar>
PartValues<Scalar> read_batches(const std::vector<fs::path>& paths) {
  std::string bytes;
  for (const fs::path& path : paths) bytes += read_file(path);
  return byte_images<Scalar>(std::make_shared<const std::string>(std::move(bytes)), 1, kPixels, kRecord);
}

}  // namespace

std::vector<std::string> cifar10_files() { return {kTrainingBatches, "test_batch.bin"}; }

template <class Scalar>
DataSource<Scalar> open_cifar10(const DatasetOptions& options) {
  const fs::path folder = find_dataset(options);
  std::vector<fs::path> training;
  for (const std::string& name : split_alternatives(kTrainingBatches)) {
    if (const std::optional<fs::path> found = find_file(folder, name)) training.push_back(*found);
  }
  const fs::path test = require_file(folder, "test_batch.bin");
  DataSource<Scalar> source;
  DataOutline& outline = source.outline;
  outline.name = options.name;
  outline.class_names = class_names(folder);
  for (const fs::path& path : training) add_batch(path, outline.train);
  add_batch(test, outline.test);
  outline.image_shape = ImageShape{3, 32, 32};
  outline.dimension = kPixels;
  outline.outputs = static_cast<Index>(outline.class_names.size());
  outline.notes.push_back(fmt::format("{} read from {} ({} of 5 training batches); pixels divided by 255", options.name,
                                      folder.string(), training.size()));
  source.read = [training, test] {
    return DataValues<Scalar>{read_batches<Scalar>(training), {}, read_batches<Scalar>({test})};
  };
  return source;
}

template DataSource<float> open_cifar10(const DatasetOptions&);
template DataSource<double> open_cifar10(const DatasetOptions&);

}  // namespace ansatz
