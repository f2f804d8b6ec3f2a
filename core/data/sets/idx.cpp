#include "core/data/sets/idx.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "core/base/error.h"
#include "core/data/formats/byte_images.h"
#include "core/data/formats/find_files.h"
#include "core/files/files.h"
#include "core/machine/memory.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kImagesMagic = 2051;  // unsigned bytes, three dimensions
constexpr std::uint32_t kLabelsMagic = 2049;  // unsigned bytes, one dimension

constexpr double kBytesOfLabel = 32;  // what a label takes in the outline and while rows are drawn

std::uint32_t big_endian(const char* bytes) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

struct IdxHeader {
  std::vector<Index> shape;
  std::size_t bytes = 0;  ///< of the header itself

  double values() const {  // a damaged header may overflow an integer
    return std::accumulate(shape.begin(), shape.end(), 1.0,
                           [](double a, Index b) { return a * static_cast<double>(b); });
  }
  double file_bytes() const { return static_cast<double>(bytes) + values(); }
};

void check_length(const InputFile& file, const IdxHeader& header, double found) {
  if (found == header.file_bytes()) return;
  throw DataError(fmt::format("{}: {}: {:.0f} bytes, but its header says {:.0f}; get it again", file.path().string(),
                              found < header.file_bytes() ? "truncated" : "too long", found, header.file_bytes()));
}

/// Reads the header and leaves `file` at the first value. The unpacked length of a gzipped file is not known before it
/// has been read; here it is only checked that the file could hold what the header says.
IdxHeader read_header(InputFile& file, std::uint32_t magic, const char* kind) {
  const std::string path = file.path().string();
  const std::size_t dimensions = magic & 0xff;
  IdxHeader header;
  header.bytes = 4 + 4 * dimensions;
  std::string start(header.bytes, '\0');
  start.resize(file.read(start.data(), start.size()));
  if (start.size() < header.bytes) throw DataError(fmt::format("{}: truncated: no complete idx header", path));
  if (big_endian(start.data()) != magic) {
    throw DataError(fmt::format("{}: wrong magic number {} (idx {} start with {}); is this another kind of file?", path,
                                big_endian(start.data()), kind, magic));
  }
  for (std::size_t i = 0; i < dimensions; ++i) header.shape.push_back(big_endian(start.data() + 4 + 4 * i));
  if (!file.gzipped() || file.most_bytes() < header.file_bytes()) check_length(file, header, file.most_bytes());
  return header;
}

InputFile::Packing packing() { return InputFile::Packing::gzip_or_none; }

IdxHeader image_header(const fs::path& path) {
  InputFile file(path, packing());
  IdxHeader header = read_header(file, kImagesMagic, "images");
  if (std::min(header.shape[1], header.shape[2]) < 1) throw DataError(path.string() + ": its images have no pixels");
  constexpr Index kMostPixels = 1'000'000'000;
  if (header.shape[1] > kMostPixels / header.shape[2]) {
    throw DataError(fmt::format("{}: damaged: its header says {} x {} pixels an image; get it again", path.string(),
                                header.shape[1], header.shape[2]));
  }
  return header;
}

PartOutline outline_part(const fs::path& images, const fs::path& labels) {
  PartOutline part;
  part.rows = image_header(images).shape[0];
  InputFile file(labels, packing());
  const IdxHeader header = read_header(file, kLabelsMagic, "labels");
  if (header.shape[0] != part.rows) {
    throw DataError(fmt::format("{} holds {} labels but {} holds {} images; they must belong together", labels.string(),
                                header.shape[0], images.string(), part.rows));
  }
  require_memory(kBytesOfLabel * static_cast<double>(part.rows), labels.string() + ": the labels of all rows");
  std::string chunk(std::size_t{1} << 16, '\0');
  for (std::size_t got = 0; (got = file.read(chunk.data(), chunk.size())) > 0;)
    for (std::size_t i = 0; i < got && static_cast<Index>(part.labels.size()) < part.rows; ++i)
      part.labels.push_back(static_cast<unsigned char>(chunk[i]));
  check_length(file, header, static_cast<double>(file.finish()));
  return part;
}

/// The set with names for the labels that occur, if it has none of its own.
IdxSet with_class_names(IdxSet set, const PartOutline& train, const PartOutline& test) {
  if (!set.class_names.empty()) return set;
  std::vector<Index> labels = train.labels;
  labels.insert(labels.end(), test.labels.begin(), test.labels.end());
  if (labels.empty()) labels.push_back(0);
  const auto [smallest, largest] = std::minmax_element(labels.begin(), labels.end());
  set.first_label = *smallest;
  for (Index label = *smallest; label <= *largest; ++label) set.class_names.push_back(std::to_string(label));
  return set;
}

/// Labels become the places of their class names.
void number_labels(PartOutline& part, const fs::path& path, const IdxSet& set) {
  for (std::size_t i = 0; i < part.labels.size(); ++i) {
    Index& label = part.labels[i];
    if (label < set.first_label || label >= set.first_label + static_cast<Index>(set.class_names.size())) {
      throw DataError(
          fmt::format("{}: label {} of row {} (counted from 0) lies beyond the {} classes{}", path.string(), label, i,
                      set.class_names.size(),
                      set.first_label > 0 ? fmt::format(", whose labels start at {}", set.first_label) : ""));
    }
    label -= set.first_label;
  }
}

PartValues read_images(const fs::path& path, const std::vector<Index>& rows, bool transposed) {
  InputFile file(path, packing());
  const IdxHeader header = read_header(file, kImagesMagic, "images");
  const Index pixels = header.shape[1] * header.shape[2];
  auto records = std::make_shared<ByteRecords>(pixels, rows);
  records->read(file, header.bytes, 0, header.shape[0]);
  check_length(file, header, static_cast<double>(file.finish()));
  if (transposed) return column_major_byte_images(std::move(records), {1, header.shape[1], header.shape[2]});
  return byte_images(std::move(records), 0, pixels);
}

}  // namespace

std::vector<std::string> idx_files() {
  std::vector<std::string> files;
  for (const std::string part : {"train", "t10k"}) {
    for (const std::string kind : {"images-idx3-ubyte", "labels-idx1-ubyte"}) {
      const std::string name = part + "-" + kind;
      std::string dotted = name;  // as some mirrors unpack it
      dotted.replace(dotted.find("-idx"), 1, ".");
      files.push_back(name + "|" + name + ".gz|" + dotted + "|" + dotted + ".gz");
    }
  }
  return files;
}

RowSource open_idx(const IdxSet& described, const fs::path& folder) {
  std::vector<fs::path> files;
  for (const std::string& alternatives : described.files) files.push_back(require_file(folder, alternatives));
  RowSource source;
  DataOutline& outline = source.outline;
  outline.name = described.name;
  outline.train = outline_part(files[0], files[1]);
  outline.test = outline_part(files[2], files[3]);
  const IdxHeader train = image_header(files[0]), test = image_header(files[2]);
  if (train.shape[1] != test.shape[1] || train.shape[2] != test.shape[2]) {
    throw DataError(fmt::format("{} has images of {} x {} but {} of {} x {}", files[2].string(), test.shape[1],
                                test.shape[2], files[0].string(), train.shape[1], train.shape[2]));
  }
  const IdxSet set = with_class_names(described, outline.train, outline.test);
  outline.class_names = set.class_names;
  number_labels(outline.train, files[1], set);
  number_labels(outline.test, files[3], set);
  outline.image_shape = ImageShape{1, train.shape[1], train.shape[2]};
  outline.dimension = outline.image_shape->size();
  outline.outputs = static_cast<Index>(outline.class_names.size());
  outline.notes.push_back(fmt::format("{} read from {}; pixels divided by 255{}", set.name, folder.string(),
                                      set.transposed ? ", images transposed, so that they stand upright" : ""));
  outline.reading_bytes = kBytesOfLabel * static_cast<double>(outline.train.rows + outline.test.rows);
  source.read = [files, transposed = set.transposed](const WantedRows& wanted) {
    return DataValues{
        read_images(files[0], wanted.train, transposed), {}, read_images(files[2], wanted.test, transposed)};
  };
  return source;
}

RowSource open_mnist(const fs::path& folder) {
  return open_idx({"mnist", idx_files(), {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}}, folder);
}

}  // namespace ansatz
