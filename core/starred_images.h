// The data of Fig. 7: photographs whose upper left corner gives the class away.
#pragma once

#include <vector>

#include "core/data_source.h"
#include "core/load_dataset.h"

namespace ansatz {

/// Airplanes (class 0) and trucks (class 1) of options.source, stl10 (the paper's) or cifar10 (a stand-in), brought to
/// options.image_height x image_width (0: 96), with options.marker set into each:
///   star: 28 pixels of rows 3 to 9, columns 7 to 13 (counted from 0), 7 x 7; an airplane's are black, of a truck's the
///         red and green channel are 1 and blue is left as it was
///   square: rows 2 to 6, columns 7 to 11, all channels 0 (airplane) or 1 (truck)
template <class Scalar>
DataSource<Scalar> open_starred_planes_trucks(const DatasetOptions& options);

/// The input coordinates that the marker covers in images of `shape`, in all channels, ascending. ConfigError if it
/// does not fit.
std::vector<Index> marker_coordinates(StarMarker marker, const ImageShape& shape);

}  // namespace ansatz
