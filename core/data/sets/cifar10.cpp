#include "core/data/sets/cifar10.h"

#include <fmt/format.h>

#include <memory>
#include <sstream>

#include "core/base/error.h"
#include "core/data/formats/byte_images.h"
#include "core/data/formats/find_files.h"
#include "core/files/files.h"

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

struct Batch {
  fs::path path;
  Index rows = 0;
};

/// Adds a batch's rows, reading only its label bytes.
Batch add_batch(const fs::path& path, PartOutline& part) {
  InputFile file(path);
  const auto size = static_cast<Index>(file.stored_bytes());
  if (size == 0 || size % kRecord != 0) {
    throw DataError(fmt::format(
        "{}: truncated or not a CIFAR-10 batch: {} bytes are not a multiple of {} (a label and 3 x 32 x 32 pixels)",
        path.string(), size, kRecord));
  }
  for (Index row = 0; row < size / kRecord; ++row) {
    char byte = 0;
    file.seek(static_cast<std::uintmax_t>(row * kRecord));
    file.read_exactly(&byte, 1);
    const auto label = static_cast<unsigned char>(byte);
    if (label > 9)
      throw DataError(
          fmt::format("{}: record {} (counted from 0) has label {}; CIFAR-10 has 0 to 9", path.string(), row, label));
    part.labels.push_back(label);
  }
  part.rows += size / kRecord;
  return {path, size / kRecord};
}

PartValues read_batches(const std::vector<Batch>& batches, const std::vector<Index>& rows) {
  auto records = std::make_shared<ByteRecords>(kRecord, rows);
  Index first = 0;
  for (const Batch& batch : batches) {
    InputFile file(batch.path);
    records->read(file, 0, first, batch.rows);
    first += batch.rows;
  }
  return byte_images(std::move(records), 1, kPixels);
}

}  // namespace

std::vector<std::string> cifar10_files() { return {kTrainingBatches, "test_batch.bin"}; }

RowSource open_cifar10(const fs::path& folder) {
  std::vector<fs::path> training;
  for (const std::string& name : split_alternatives(kTrainingBatches)) {
    if (const std::optional<fs::path> found = find_file(folder, name)) training.push_back(*found);
  }
  RowSource source;
  DataOutline& outline = source.outline;
  outline.name = "cifar10";
  outline.class_names = class_names(folder);
  std::vector<Batch> batches;
  for (const fs::path& path : training) batches.push_back(add_batch(path, outline.train));
  const Batch test = add_batch(require_file(folder, "test_batch.bin"), outline.test);
  outline.image_shape = ImageShape{3, 32, 32};
  outline.dimension = kPixels;
  outline.outputs = static_cast<Index>(outline.class_names.size());
  outline.notes.push_back(fmt::format("{} read from {} ({} of 5 training batches); pixels divided by 255", outline.name,
                                      folder.string(), training.size()));
  source.read = [batches, test](const WantedRows& wanted) {
    return DataValues{read_batches(batches, wanted.train), {}, read_batches({test}, wanted.test)};
  };
  return source;
}

}  // namespace ansatz
