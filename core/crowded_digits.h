// A stand-in for SVHN (Fig. 3) made of MNIST's digits.
#pragma once

#include "core/data_source.h"
#include "core/load_dataset.h"

namespace ansatz {

/// Images 3 x 32 x 32. Image i: MNIST's digit i in the centre, which gives the label, and parts of two other digits cut
/// off by the left and right edge, all on a background of one colour. What is drawn at random (core/crowded_digits.cpp)
/// is a function of i alone, so that the set is the same for every seed of a run, as if it came from files.
template <class Scalar>
DataSource<Scalar> open_crowded_digits(const DatasetOptions& options);

}  // namespace ansatz
