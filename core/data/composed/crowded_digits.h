// A stand-in for SVHN (Fig. 3) made of MNIST's digits.
#pragma once

#include <filesystem>

#include "core/data/row_source.h"

namespace ansatz {

/// Images of 3 x 32 x 32. Image i has MNIST's digit i in the centre, which gives the label, and two other digits that
/// the left and right edge cut off, all on a background of one colour. The random choices depend on i alone (see
/// core/data/composed/crowded_digits.cpp), so that the set is the same for every seed of a run, as if it came from
/// files.
RowSource open_crowded_digits(const std::filesystem::path& mnist_folder);

}  // namespace ansatz
