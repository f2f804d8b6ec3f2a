// The data of Fig. 8: a photograph of CIFAR-10 beside a digit of MNIST.
#pragma once

#include <filesystem>

#include "core/data/data_source.h"

namespace ansatz {

/// Of the folders of CIFAR-10 and MNIST: images 3 x 32 x 64: on the left the i-th image of CIFAR-10's class k, on the
/// right the i-th digit k of MNIST, brought to 32 x 32 and the same in all channels. As many of each class as both
/// have, but at most 5000 (train) and 1000 (test), class after class.
DataSource open_cifar_mnist(const std::filesystem::path& cifar_folder, const std::filesystem::path& mnist_folder);

}  // namespace ansatz
