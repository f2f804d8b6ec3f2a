// The data of Fig. 8: a photograph of CIFAR-10 beside a digit of MNIST.
#pragma once

#include "core/data_source.h"
#include "core/load_dataset.h"

namespace ansatz {

/// Images 3 x 32 x 64: on the left the i-th image of CIFAR-10's class k, on the right the i-th digit k of MNIST,
/// brought to 32 x 32 and the same in all channels. As many of each class as both have, but at most 5000 (train) and
/// 1000 (test), class after class.
template <class Scalar>
DataSource<Scalar> open_cifar_mnist(const DatasetOptions& options);

}  // namespace ansatz
