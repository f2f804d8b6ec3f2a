#include "core/idx.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "core/byte_images.h"
#include "core/data_files.h"
#include "core/error.h"
#include "core/files.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kImagesMagic = 2051;  // unsigned bytes, three dimensions
constexpr std::uint32_t kLabelsMagic = 2049;  // unsigned bytes, one dimension

std::uint32_t big_endian(const char* bytes) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

/// The first bytes of a plain or gzipped file, as many as there are up to `count`; zlib reads both.
std::string read_start(const fs::path& path, unsigned count) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  std::string bytes(count, '\0');
  const int got = file ? gzread(file.get(), bytes.data(), count) : -1;
  if (got < 0) throw DataError(path.string() + ": cannot be read");
  bytes.resize(static_cast<std::size_t>(got));
  return bytes;
}

struct IdxHeader {
  std::vector<Index> shape;
  std::size_t bytes = 0;  ///< of the header itself
};

IdxHeader parse_header(const fs::path& path, const std::string& start, std::uint32_t magic, const char* kind) {
  IdxHeader header;
  const std::size_t dimensions = magic & 0xff;
  header.bytes = 4 + 4 * dimensions;
  if (start.size() < header.bytes) throw DataError(fmt::format("{}: truncated: no complete idx header", path.string()));
  if (big_endian(start.data()) != magic) {
    throw DataError(fmt::format("{}: wrong magic number {} (idx {} start with {}); is this another kind of file?",
                                path.string(), big_endian(start.data()), kind, magic));
  }
  for (std::size_t i = 0; i < dimensions; ++i) header.shape.push_back(big_endian(start.data() + 4 + 4 * i));
  return header;
}

/// The whole file, after comparing its length with the header.
std::string read_checked(const fs::path& path, std::uint32_t magic, const char* kind) {
  std::string bytes = read_file_or_gzip(path);
  const IdxHeader header = parse_header(path, bytes, magic, kind);
  double expected = static_cast<double>(header.bytes);  // a damaged header may overflow an integer
  expected += std::accumulate(header.shape.begin(), header.shape.end(), 1.0,
                              [](double a, Index b) { return a * static_cast<double>(b); });
  if (static_cast<double>(bytes.size()) != expected) {
    throw DataError(fmt::format("{}: {}: {} bytes, but its header says {:.0f}; get it again", path.string(),
                                static_cast<double>(bytes.size()) < expected ? "truncated" : "too long", bytes.size(),
                                expected));
  }
  return bytes;
}

IdxHeader image_header(const fs::path& path) {
  IdxHeader header = parse_header(path, read_start(path, 16), kImagesMagic, "images");
  if (std::min(header.shape[1], header.shape[2]) < 1) throw DataError(path.string() + ": its images have no pixels");
  return header;
}

PartOutline outline_part(const fs::path& images, const fs::path& labels) {
  PartOutline part;
  part.rows = image_header(images).shape[0];
  const std::string bytes = read_checked(labels, kLabelsMagic, "labels");
  const std::size_t header = 8;
  if (static_cast<Index>(bytes.size() - header) != part.rows) {
    throw DataError(fmt::format("{} holds {} labels but {} holds {} images; they must belong together", labels.string(),
                                bytes.size() - header, images.string(), part.rows));
  }
  for (std::size_t i = header; i < bytes.size(); ++i) part.labels.push_back(static_cast<unsigned char>(bytes[i]));
  return part;
}

Index largest_label(const PartOutline& part) {
  return part.labels.empty() ? 0 : *std::max_element(part.labels.begin(), part.labels.end());
}

void check_labels(const PartOutline& part, const fs::path& path, std::size_t classes) {
  for (std::size_t i = 0; i < part.labels.size(); ++i) {
    if (part.labels[i] >= static_cast<Index>(classes)) {
      throw DataError(fmt::format("{}: label {} of row {} (counted from 0) lies beyond the {} classes", path.string(),
                                  part.labels[i], i, classes));
    }
  }
}

template <class Scalar>
PartValues<Scalar> read_images(const fs::path& path) {
  auto bytes = std::make_shared<const std::string>(read_checked(path, kImagesMagic, "images"));
  const IdxHeader header = parse_header(path, *bytes, kImagesMagic, "images");
  return byte_images<Scalar>(std::move(bytes), header.bytes, header.shape[1] * header.shape[2],
                             header.shape[1] * header.shape[2]);
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

template <class Scalar>
DataSource<Scalar> open_idx(const DatasetOptions& options, const std::vector<std::string>& class_names) {
  const fs::path folder = find_dataset(options);
  std::vector<fs::path> files;
  for (const std::string& alternatives : idx_files()) files.push_back(require_file(folder, alternatives));
  DataSource<Scalar> source;
  DataOutline& outline = source.outline;
  outline.name = options.name;
  outline.train = outline_part(files[0], files[1]);
  outline.test = outline_part(files[2], files[3]);
  const IdxHeader train = image_header(files[0]), test = image_header(files[2]);
  if (train.shape[1] != test.shape[1] || train.shape[2] != test.shape[2]) {
    throw DataError(fmt::format("{} has images of {} x {} but {} of {} x {}", files[2].string(), test.shape[1],
                                test.shape[2], files[0].string(), train.shape[1], train.shape[2]));
  }
  outline.class_names = class_names;
  for (Index c = 0; class_names.empty() && c <= std::max(largest_label(outline.train), largest_label(outline.test));
       ++c) {
    outline.class_names.push_back(std::to_string(c));
  }
  check_labels(outline.train, files[1], outline.class_names.size());
  check_labels(outline.test, files[3], outline.class_names.size());
  outline.image_shape = ImageShape{1, train.shape[1], train.shape[2]};
  outline.dimension = outline.image_shape->size();
  outline.outputs = static_cast<Index>(outline.class_names.size());
  outline.notes.push_back(fmt::format("{} read from {}; pixels divided by 255", options.name, folder.string()));
  source.read = [files] {
    return DataValues<Scalar>{read_images<Scalar>(files[0]), {}, read_images<Scalar>(files[2])};
  };
  return source;
}

template DataSource<float> open_idx(const DatasetOptions&, const std::vector<std::string>&);
template DataSource<double> open_idx(const DatasetOptions&, const std::vector<std::string>&);

}  // namespace ansatz
