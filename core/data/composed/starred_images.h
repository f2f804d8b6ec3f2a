// The data of Fig. 7: photographs whose upper left corner gives the class away.
#pragma once

#include <vector>

#include "core/data/formats/image_source.h"
#include "core/data/row_source.h"

namespace ansatz {

enum class StarMarker { star, square };

struct StarredOptions {
  std::string photographs = "cifar10";  ///< the data set that they come from: "cifar10" or "stl10"
  StarMarker marker = StarMarker::star;
};

/// The airplanes (class 0) and trucks (class 1) among the photographs of stl10 (the paper's) or cifar10 (a stand-in),
/// resized to size.height x width (0: 96), with a marker in each:
/// - star: 28 of the 7 x 7 pixels in rows 3 to 9 and columns 7 to 13 (counted from 0). They are black on an airplane;
///   on a truck red and green are 1, and blue stays as it was.
/// - square: rows 2 to 6, columns 7 to 11, all channels 0 (airplane) or 1 (truck).
RowSource open_starred_planes_trucks(RowSource photographs, StarMarker marker, const ImageOptions& size);

/// The input coordinates that the marker covers in images of `shape`, in all channels, ascending. ConfigError if it
/// does not fit.
std::vector<Index> marker_coordinates(StarMarker marker, const ImageShape& shape);

}  // namespace ansatz
