#include "core/data/sets/celeba.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string_view>
#include <unordered_map>

#include "core/base/error.h"
#include "core/base/nearest.h"
#include "core/data/formats/find_files.h"
#include "core/files/files.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAttributes = "list_attr_celeba.txt|list_attr_celeba.csv";
constexpr const char* kPartition = "list_eval_partition.txt|list_eval_partition.csv";

/// Reads the lines of a text file, split at white space, and of a .csv file at commas too.
class Lines {
 public:
  explicit Lines(const fs::path& path) : path_(path), text_(read_file(path)), rest_(text_) {}

  /// Whether it is a table with a header line, whose first cell is image_id.
  bool is_table() const { return path_.extension() == ".csv"; }

  /// The words of the next line, or false at the end of the file.
  bool next(std::vector<std::string_view>& words) {
    words.clear();
    if (rest_.empty()) return false;
    ++line_;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    const char* const space = is_table() ? ", \t\r" : " \t\r";
    for (std::size_t begin; (begin = line.find_first_not_of(space)) != std::string_view::npos;) {
      const std::size_t length = std::min(line.find_first_of(space, begin), line.size()) - begin;
      words.push_back(line.substr(begin, length));
      line.remove_prefix(begin + length);
    }
    return true;
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw DataError(fmt::format("{}:{}: {}", path_.string(), line_, message));
  }

 private:
  fs::path path_;
  std::string text_;
  std::string_view rest_;
  Index line_ = 0;
};

struct Faces {
  std::vector<std::string> files;
  std::vector<Index> has_attribute;  ///< 0 or 1
};

/// The place of the attribute among `names`; throws if it is not there. `key`: the option that names it, for messages.
std::size_t find_attribute(const std::vector<std::string_view>& names, const std::string& wanted, const fs::path& path,
                           const std::string& key) {
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string near = nearest(wanted, {names.begin(), names.end()});
  throw ConfigError(
      fmt::format("celeba: {} has no attribute \"{}\" ({}); {}", path.string(), wanted, key,
                  near.empty() ? fmt::format("it has {}", fmt::join(names, ", ")) : "did you mean " + near + "?"));
}

void skip_image_id(std::vector<std::string_view>& words, const Lines& lines) {
  if (words.size() < 2 || words.front() != "image_id") lines.fail("the first line must be a header: image_id, ...");
  words.erase(words.begin());
}

Index parse_count(const std::vector<std::string_view>& words, const Lines& lines) {
  Index count = -1;
  if (words.size() == 1) std::from_chars(words[0].data(), words[0].data() + words[0].size(), count);
  if (count < 1) lines.fail("the first line of list_attr_celeba.txt must be the number of images");
  return count;
}

/// Reads up to the names of the attributes, which are left in `words`. Returns the number of images, where it is said.
std::optional<Index> read_head(Lines& lines, std::vector<std::string_view>& words) {
  lines.next(words);
  if (lines.is_table()) {
    skip_image_id(words, lines);
    return std::nullopt;
  }
  const Index count = parse_count(words, lines);
  lines.next(words);
  if (words.empty()) lines.fail("the second line of list_attr_celeba.txt must name the attributes");
  return count;
}

Faces read_attributes(const fs::path& path, const std::string& attribute, const std::string& key) {
  Lines lines(path);
  std::vector<std::string_view> words;
  const std::optional<Index> count = read_head(lines, words);
  const std::size_t attributes = words.size(), column = 1 + find_attribute(words, attribute, path, key);
  Faces faces;
  while (lines.next(words)) {
    if (words.empty()) continue;
    if (words.size() != attributes + 1)
      lines.fail(fmt::format("{} values instead of a file name and {} attributes", words.size(), attributes));
    if (words[column] != "1" && words[column] != "-1")
      lines.fail(fmt::format("{} is \"{}\" instead of 1 or -1", attribute, words[column]));
    faces.files.emplace_back(words[0]);
    faces.has_attribute.push_back(words[column] == "1");
  }
  if (count && static_cast<Index>(faces.files.size()) != *count) {
    throw DataError(fmt::format("{}: truncated or damaged: {} images, but its first line says {}", path.string(),
                                faces.files.size(), *count));
  }
  if (faces.files.empty()) throw DataError(path.string() + ": no images are listed");
  return faces;
}

/// The part to which each image belongs: 0 train, 1 validation, 2 test.
std::vector<Index> read_partition(const fs::path& path, const Faces& faces) {
  Lines lines(path);
  std::vector<std::string_view> words;
  std::unordered_map<std::string, Index> part;
  if (lines.is_table()) {
    lines.next(words);
    skip_image_id(words, lines);
  }
  while (lines.next(words)) {
    if (words.empty()) continue;
    if (words.size() != 2 || (words[1] != "0" && words[1] != "1" && words[1] != "2"))
      lines.fail("must be a file name and 0, 1 or 2");
    part[std::string(words[0])] = words[1][0] - '0';
  }
  std::vector<Index> parts;
  for (const std::string& file : faces.files) {
    const auto found = part.find(file);
    if (found == part.end()) throw DataError(fmt::format("{}: does not say where {} belongs", path.string(), file));
    parts.push_back(found->second);
  }
  return parts;
}

struct FacePart {
  std::vector<fs::path> paths;
  PartOutline outline;
};

/// The images of one part, or all images if `parts` is empty.
FacePart select(const fs::path& folder, const Faces& faces, const std::vector<Index>& parts, Index part) {
  FacePart selected;
  for (std::size_t i = 0; i < faces.files.size(); ++i) {
    if (!parts.empty() && parts[i] != part) continue;
    selected.paths.push_back(folder / "img_align_celeba" / faces.files[i]);
    selected.outline.labels.push_back(faces.has_attribute[i]);
    selected.outline.source_rows.push_back(static_cast<Index>(i));
  }
  selected.outline.rows = static_cast<Index>(selected.paths.size());
  return selected;
}

}  // namespace

std::vector<std::string> celeba_files() { return {kAttributes}; }

std::vector<Index> celeba_attribute(const fs::path& folder, const std::string& attribute, const std::string& key) {
  return read_attributes(require_file(folder, kAttributes), attribute, key).has_attribute;
}

RowSource open_celeba(const fs::path& folder, const std::string& attribute, const ImageOptions& image,
                      const ImageReader& read_image) {
  if (attribute.empty()) throw ConfigError("celeba needs `attribute`, such as Eyeglasses");
  if (image.height < 1 || image.width < 1) throw ConfigError("celeba needs `image_height` and `image_width`");
  std::error_code error;
  if (!fs::is_directory(folder / "img_align_celeba", error))
    throw DataError((folder / "img_align_celeba").string() + ": no such folder; unpack img_align_celeba.zip there");
  const Faces faces = read_attributes(require_file(folder, kAttributes), attribute, "`attribute`");
  const std::optional<fs::path> partition = find_file(folder, kPartition);
  const std::vector<Index> parts = partition ? read_partition(*partition, faces) : std::vector<Index>{};
  const FacePart train = select(folder, faces, parts, 0),
                 test = partition ? select(folder, faces, parts, 2) : FacePart{};
  RowSource source;
  DataOutline& outline = source.outline;
  outline.name = "celeba";
  outline.train = train.outline;
  outline.test = test.outline;
  outline.one_piece = !partition;
  outline.class_names = {"no " + attribute, attribute};
  outline.image_shape = ImageShape{3, image.height, image.width};
  outline.dimension = outline.image_shape->size();
  outline.outputs = 2;
  outline.notes.push_back(
      fmt::format("celeba, {}: {} images of {}{}, resized to {} x {} (height x width), values 0 to 1", attribute,
                  faces.files.size(), folder.string(), image.crop == ImageCrop::center ? ", cropped to the centre" : "",
                  image.height, image.width));
  if (partition)
    outline.notes.push_back(
        fmt::format("train and test as in {}; its validation part is not used", partition->filename().string()));
  outline.reading_bytes = std::max(decoding_bytes(train.paths), decoding_bytes(test.paths));
  source.read = [train = train.paths, test = test.paths, read_image, image](const WantedRows&) {
    return DataValues{image_file_values(train, read_image, image), {}, image_file_values(test, read_image, image)};
  };
  return source;
}

}  // namespace ansatz
