#include "core/data/composed/starred_images.h"

#include <algorithm>
#include <array>

#include "core/base/error.h"

namespace ansatz {
namespace {

constexpr Index kStarredSide = 96;
constexpr Index kRowsNeeded = 10, kColumnsNeeded = 14;  // the marker's place

struct Pixel {
  Index row, column;
};

std::vector<Pixel> marked_pixels(StarMarker marker) {
  struct Run {
    Index row, first, last;
  };
  const std::vector<Run> star = {{3, 10, 10}, {4, 9, 11}, {5, 7, 13}, {6, 8, 12},
                                 {7, 9, 11},  {8, 8, 12}, {9, 8, 9},  {9, 11, 12}};
  const std::vector<Run> square = {{2, 7, 11}, {3, 7, 11}, {4, 7, 11}, {5, 7, 11}, {6, 7, 11}};
  std::vector<Pixel> pixels;
  for (const Run& run : marker == StarMarker::star ? star : square) {
    for (Index column = run.first; column <= run.last; ++column) pixels.push_back({run.row, column});
  }
  return pixels;
}

template <class Scalar>
void mark(Scalar* image, const ImageShape& shape, const std::vector<Pixel>& pixels, StarMarker marker, bool truck) {
  const Index channels = truck && marker == StarMarker::star ? 2 : 3;  // yellow leaves the blue channel alone
  for (Index c = 0; c < channels; ++c) {
    for (const Pixel& p : pixels) image[(c * shape.height + p.row) * shape.width + p.column] = truck;
  }
}

void require_room(const ImageShape& shape) {
  if (shape.height < kRowsNeeded || shape.width < kColumnsNeeded)
    throw ConfigError("starred_planes_trucks: the star needs images of at least 10 x 14 (`image_height`, image_width)");
}

/// The rows of one part that are airplanes or trucks.
struct Chosen {
  std::vector<Index> rows;
  PartOutline outline;
};

Chosen choose(const PartOutline& part, Index airplane, Index truck) {
  Chosen chosen;
  for (Index i = 0; i < part.rows; ++i) {
    const Index label = part.labels[static_cast<std::size_t>(i)];
    if (label != airplane && label != truck) continue;
    chosen.rows.push_back(i);
    chosen.outline.labels.push_back(label == truck);
  }
  chosen.outline.rows = static_cast<Index>(chosen.rows.size());
  return chosen;
}

PartValues marked(PartValues photographs, Chosen chosen, const ImageShape& shape, StarMarker marker) {
  PartValues values;
  values.read_row = row_reader([photographs = std::move(photographs), chosen = std::move(chosen), shape, marker,
                                pixels = marked_pixels(marker)](Index row, auto* out) {
    const auto i = static_cast<std::size_t>(row);
    photographs.read_row(chosen.rows[i], out);
    mark(out, shape, pixels, marker, chosen.outline.labels[i] == 1);
  });
  return values;
}

std::vector<Index> rows_of(const Chosen& chosen, const std::vector<Index>& wanted) {
  std::vector<Index> rows;
  for (const Index row : wanted) rows.push_back(chosen.rows[static_cast<std::size_t>(row)]);
  return rows;
}

Index class_index(const DataOutline& outline, const std::string& name) {
  const auto found = std::find(outline.class_names.begin(), outline.class_names.end(), name);
  if (found == outline.class_names.end())
    throw DataError(outline.name + ": its class names hold no \"" + name + "\", which starred_planes_trucks needs");
  return static_cast<Index>(found - outline.class_names.begin());
}

}  // namespace

std::vector<Index> marker_coordinates(StarMarker marker, const ImageShape& shape) {
  require_room(shape);
  std::vector<Index> coordinates;
  for (Index c = 0; c < shape.channels; ++c)
    for (const Pixel& p : marked_pixels(marker))
      coordinates.push_back((c * shape.height + p.row) * shape.width + p.column);
  return coordinates;
}

RowSource open_starred_planes_trucks(RowSource photographs, StarMarker marker, const ImageOptions& size) {
  const RowSource images = resized(std::move(photographs), size.height > 0 ? size.height : kStarredSide,
                                   size.width > 0 ? size.width : kStarredSide);
  RowSource source;
  DataOutline& outline = source.outline;
  outline = images.outline;
  const ImageShape shape = *outline.image_shape;
  require_room(shape);
  const Index airplane = class_index(outline, "airplane"), truck = class_index(outline, "truck");
  const Chosen train = choose(outline.train, airplane, truck), test = choose(outline.test, airplane, truck);
  outline.name = "starred_planes_trucks";
  outline.train = train.outline;
  outline.test = test.outline;
  outline.class_names = {"airplane", "truck"};
  outline.outputs = 2;
  outline.notes.push_back(marker == StarMarker::star
                              ? "a star in the upper left corner: yellow on trucks, black on airplanes"
                              : "a square in the upper left corner: white on trucks, black on airplanes");
  source.read = [read = images.read, train, test, shape, marker](const WantedRows& wanted) {
    DataValues values = read({rows_of(train, wanted.train), {}, rows_of(test, wanted.test)});
    return DataValues{
        marked(std::move(values.train), train, shape, marker), {}, marked(std::move(values.test), test, shape, marker)};
  };
  return source;
}

}  // namespace ansatz
