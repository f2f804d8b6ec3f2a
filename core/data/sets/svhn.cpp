#include "core/data/sets/svhn.h"

#include <fmt/format.h>

#include <memory>

#include "core/base/error.h"
#include "core/data/formats/byte_images.h"
#include "core/data/formats/mat_file.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

constexpr ImageShape kShape{3, 32, 32};

PartOutline outline_svhn(const fs::path& path) {
  std::vector<Index> shape = mat_shape(path, "X");
  if (shape.size() == 3) shape.push_back(1);  // MATLAB drops a last length of 1
  if (shape.size() != 4 || shape[0] != kShape.height || shape[1] != kShape.width || shape[2] != kShape.channels) {
    throw DataError(fmt::format("{}: array \"X\" is {}; SVHN's cropped digits are 32 x 32 x 3 x n", path.string(),
                                fmt::join(shape, " x ")));
  }
  PartOutline part;
  part.rows = shape[3];
  const std::string labels = read_mat_bytes(path, "y");
  if (static_cast<Index>(labels.size()) != part.rows) {
    throw DataError(fmt::format("{}: {} labels but {} images", path.string(), labels.size(), part.rows));
  }
  for (const char byte : labels) {
    const auto label = static_cast<unsigned char>(byte);
    if (label < 1 || label > 10) {
      throw DataError(fmt::format("{}: label {} of image {} (counted from 0); SVHN has 1 to 10 (10 is the digit 0)",
                                  path.string(), label, part.labels.size()));
    }
    part.labels.push_back(label % 10);
  }
  return part;
}

PartValues read_svhn(const fs::path& path) {
  return column_major_byte_images(std::make_shared<const ByteRecords>(kShape.size(), read_mat_bytes(path, "X")),
                                  kShape);
}

}  // namespace

std::vector<std::string> svhn_files() { return {"train_32x32.mat", "test_32x32.mat"}; }

RowSource open_svhn(const fs::path& folder) {
  const fs::path train = folder / "train_32x32.mat", test = folder / "test_32x32.mat";
  RowSource source;
  DataOutline& outline = source.outline;
  outline.name = "svhn";
  outline.class_names = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
  outline.train = outline_svhn(train);
  outline.test = outline_svhn(test);
  outline.image_shape = kShape;
  outline.dimension = kShape.size();
  outline.outputs = 10;
  outline.notes.push_back(fmt::format("{} read from {}; pixels divided by 255", outline.name, folder.string()));
  outline.reading_bytes = 2.0 * static_cast<double>((outline.train.rows + outline.test.rows) * kShape.size());
  source.read = [train, test](const WantedRows&) { return DataValues{read_svhn(train), {}, read_svhn(test)}; };
  return source;
}

}  // namespace ansatz
