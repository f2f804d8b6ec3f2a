// A stand-in for SVHN (Fig. 3) made of MNIST's digits.
#pragma once

#include <filesystem>

#include "core/data/data_source.h"

namespace ansatz {

/// Images 3 x 32 x 32. Image i: MNIST's digit i in the centre, which gives the label, and parts of two other digits cut
/// off by the left and right edge, all on a background of one colour. What is drawn at random
/// (core/data/composed/crowded_digits.cpp) is a function of i alone, so that the set is the same for every seed of a
/// run, as if it came from files.
DataSource open_crowded_digits(const std::filesystem::path& mnist_folder);

}  // namespace ansatz
