#include "core/data/sets/image_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/base/error.h"
#include "core/data/formats/find_files.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

bool is_image(const fs::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const std::vector<std::string> known = {".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".bmp", ".webp",
                                          ".tif", ".tiff", ".pnm", ".pbm",  ".pgm", ".ppm"};
  return std::find(known.begin(), known.end(), extension) != known.end();
}

struct ImageFiles {
  std::vector<fs::path> paths;
  PartOutline outline;
  std::vector<fs::path> left_out;  ///< files of other names, and folders in a class's folder
};

std::vector<std::string> class_folders(const fs::path& folder) {
  std::vector<std::string> names;
  for (const fs::path& sub_folder : visible_folders(folder)) names.push_back(sub_folder.filename().string());
  if (names.size() < 2) {
    throw DataError(fmt::format("{}: {} class sub-folder{}; classification needs at least two (path/<class>/*.jpg)",
                                folder.string(), names.size(), names.size() == 1 ? "" : "s"));
  }
  return names;
}

ImageFiles list_images(const fs::path& folder, const std::vector<std::string>& class_names) {
  ImageFiles files;
  for (const std::string& name : class_folders(folder)) {
    const auto found = std::find(class_names.begin(), class_names.end(), name);
    if (found == class_names.end())
      throw DataError(fmt::format("{}: class \"{}\" has no training images", (folder / name).string(), name));
    const std::size_t before = files.paths.size();
    for (const fs::path& path : visible_files(folder / name)) {
      (is_image(path) ? files.paths : files.left_out).push_back(path);
    }
    for (const fs::path& path : visible_folders(folder / name)) files.left_out.push_back(path / "");
    if (files.paths.size() == before)
      throw DataError((folder / name).string() + ": no pictures there (.jpg, .png, .bmp, .webp, .tif, .pnm)");
    files.outline.labels.resize(files.paths.size(), static_cast<Index>(found - class_names.begin()));
  }
  files.outline.rows = static_cast<Index>(files.paths.size());
  return files;
}

}  // namespace

RowSource open_image_folder(const fs::path& folder, const ImageOptions& image, const ImageReader& read_image) {
  if (image.height < 1 || image.width < 1) {
    throw DataError(folder.string() + ": image_folder needs `image_height` and `image_width`");
  }
  const bool has_test = fs::is_directory(folder / "train") && fs::is_directory(folder / "test");
  RowSource source;
  DataOutline& outline = source.outline;
  outline.name = folder.filename().string();
  outline.class_names = class_folders(has_test ? folder / "train" : folder);
  ImageFiles train = list_images(has_test ? folder / "train" : folder, outline.class_names);
  ImageFiles test = has_test ? list_images(folder / "test", outline.class_names) : ImageFiles{};
  outline.train = train.outline;
  outline.test = test.outline;
  outline.one_piece = !has_test;
  outline.image_shape = ImageShape{3, image.height, image.width};
  outline.dimension = outline.image_shape->size();
  outline.outputs = static_cast<Index>(outline.class_names.size());
  outline.notes.push_back(fmt::format("images read from {}, resized to {} x {} (height x width), values 0 to 1",
                                      folder.string(), image.height, image.width));
  for (const ImageFiles* files : {&train, &test}) {
    if (files->left_out.empty()) continue;
    outline.warnings.push_back(fmt::format("image_folder: {} left out that {} no picture by the name, such as {}",
                                           files->left_out.size(), files->left_out.size() == 1 ? "is" : "are",
                                           files->left_out.front().string()));
  }
  outline.notes.insert(outline.notes.end(), outline.warnings.begin(), outline.warnings.end());
  outline.reading_bytes = std::max(decoding_bytes(train.paths), decoding_bytes(test.paths));
  source.read = [train, test, read_image, image](const WantedRows&) {
    return DataValues{
        image_file_values(train.paths, read_image, image), {}, image_file_values(test.paths, read_image, image)};
  };
  return source;
}

}  // namespace ansatz
