// The data of Fig. 8: a photograph of CIFAR-10 beside a digit of MNIST.
#pragma once

#include <filesystem>

#include "core/data/row_source.h"

namespace ansatz {

/// Images of 3 x 32 x 64 made from the folders of CIFAR-10 and MNIST. On the left stands the i-th image of CIFAR-10's
/// class k, on the right the i-th digit k of MNIST, resized to 32 x 32 and the same in all channels. There are as many
/// of each class as both sets have, but at most 5000 (train) and 1000 (test), one class after the other.
RowSource open_cifar_mnist(const std::filesystem::path& cifar_folder, const std::filesystem::path& mnist_folder);

}  // namespace ansatz
