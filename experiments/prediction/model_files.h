// models/ of a run: what its fitted models are, and what their inputs and outputs mean, so that they can be asked
// again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/data/dataset.h"
#include "core/data/rows/stored_dataset.h"
#include "core/run/run_directory.h"
#include "experiments/options/options.h"
#include "rfm/kernel_machine.h"
#include "rfm/trees/rfm_tree.h"

namespace ansatz::experiments {

/// models/<label>.safetensors: the machine (rfm/storage/machine_file.h), its data's form (core/run/data_form.h), and
/// where its training rows come from. Where its centres are more than few bytes, only the last is written of them.
template <class Scalar>
void save_machine(const std::string& label, const rfm::KernelMachine<Scalar>& machine, const Split<Scalar>& split,
                  const FeatureComparisonOptions& options, const RunDirectory& directory);

/// Where a run's data come from: the resolved section `dataset`, and the seed of its draws.
struct DataOrigin {
  std::string yaml;
  std::uint64_t seed = 0;
};

/// models/<label>.safetensors: a tree over the rows of `train` (rfm/trees/tree_file.h), with the same beside it.
template <class Scalar>
void save_tree(const std::string& label, const rfm::RfmTree<Scalar>& tree, const StoredDataset<Scalar>& train,
               const InputTransform& transform, const DataOrigin& origin, const RunDirectory& directory);

/// models/network.data.safetensors: what the inputs and outputs of the network mean, whose weights are saved beside it.
template <class Scalar>
void save_network_data(nets::Activation activation, const Split<Scalar>& split, const RunDirectory& directory);

/// The bytes of models/<label>.safetensors for a machine whose M is written as so many numbers.
double machine_file_bytes(const DatasetSize& size, double metric_numbers, Precision precision);

}  // namespace ansatz::experiments
