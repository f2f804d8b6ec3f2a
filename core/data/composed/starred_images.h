// The data of Fig. 7: photographs whose upper left corner gives the class away.
#pragma once

#include <vector>

#include "core/data/data_source.h"
#include "core/data/formats/image_source.h"

namespace ansatz {

enum class StarMarker { star, square };

struct StarredOptions {
  std::string photographs = "cifar10";  ///< the data set they come from, or "stl10"
  StarMarker marker = StarMarker::star;
};

/// Airplanes (class 0) and trucks (class 1) of the photographs, stl10 (the paper's) or cifar10 (a stand-in), brought to
/// size.height x width (0: 96), with the marker set into each:
///   star: 28 pixels of rows 3 to 9, columns 7 to 13 (counted from 0), 7 x 7; an airplane's are black, of a truck's the
///         red and green channel are 1 and blue is left as it was
///   square: rows 2 to 6, columns 7 to 11, all channels 0 (airplane) or 1 (truck)
DataSource open_starred_planes_trucks(DataSource photographs, StarMarker marker, const ImageOptions& size);

/// The input coordinates that the marker covers in images of `shape`, in all channels, ascending. ConfigError if it
/// does not fit.
std::vector<Index> marker_coordinates(StarMarker marker, const ImageShape& shape);

}  // namespace ansatz
