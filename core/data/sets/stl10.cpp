#include "core/data/sets/stl10.h"

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

constexpr ImageShape kShape{3, 96, 96};

std::vector<std::string> class_names_of(const fs::path& folder) {
  std::vector<std::string> names;
  if (const std::optional<fs::path> file = find_file(folder, "class_names.txt")) {
    std::istringstream words(read_file(*file));
    for (std::string word; words >> word;) names.push_back(word);
    if (names.size() != 10) {
      throw DataError(fmt::format("{}: {} class names; STL-10 has 10", file->string(), names.size()));
    }
    return names;
  }
  return {"airplane", "bird", "car", "cat", "deer", "dog", "horse", "monkey", "ship", "truck"};
}

PartOutline outline_stl10(const fs::path& images, const fs::path& labels) {
  const auto size = static_cast<Index>(require_regular_file(images));
  if (size == 0 || size % kShape.size() != 0) {
    throw DataError(
        fmt::format("{}: truncated or not STL-10's images: {} bytes are not a multiple of {} (3 x 96 x 96 pixels)",
                    images.string(), size, kShape.size()));
  }
  PartOutline part;
  part.rows = size / kShape.size();
  const std::string bytes = read_file(labels);
  if (static_cast<Index>(bytes.size()) != part.rows) {
    throw DataError(fmt::format("{} holds {} labels but {} holds {} images; they must belong together", labels.string(),
                                bytes.size(), images.string(), part.rows));
  }
  for (const char byte : bytes) {
    const auto label = static_cast<unsigned char>(byte);
    if (label < 1 || label > 10) {
      throw DataError(fmt::format("{}: label {} of row {} (counted from 0); STL-10 has 1 to 10", labels.string(), label,
                                  part.labels.size()));
    }
    part.labels.push_back(label - 1);
  }
  return part;
}

PartValues read_stl10(const fs::path& path, const std::vector<Index>& rows) {
  auto records = std::make_shared<ByteRecords>(kShape.size(), rows);
  InputFile file(path);
  records->read(file, 0, 0, static_cast<Index>(file.stored_bytes()) / kShape.size());
  return column_major_byte_images(std::move(records), kShape);
}

}  // namespace

std::vector<std::string> stl10_files() { return {"train_X.bin", "train_y.bin", "test_X.bin", "test_y.bin"}; }

RowSource open_stl10(const fs::path& folder) {
  RowSource source;
  DataOutline& outline = source.outline;
  outline.name = "stl10";
  outline.class_names = class_names_of(folder);
  outline.train = outline_stl10(folder / "train_X.bin", folder / "train_y.bin");
  outline.test = outline_stl10(folder / "test_X.bin", folder / "test_y.bin");
  outline.image_shape = kShape;
  outline.dimension = kShape.size();
  outline.outputs = static_cast<Index>(outline.class_names.size());
  outline.notes.push_back(fmt::format("{} read from {}; pixels divided by 255", outline.name, folder.string()));
  source.read = [folder](const WantedRows& wanted) {
    return DataValues{
        read_stl10(folder / "train_X.bin", wanted.train), {}, read_stl10(folder / "test_X.bin", wanted.test)};
  };
  return source;
}

}  // namespace ansatz
