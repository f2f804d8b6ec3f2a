// A tree of RFMs in a .safetensors file, there and back.
#pragma once

#include <filesystem>
#include <functional>

#include "rfm/storage/machine_file.h"
#include "rfm/trees/rfm_tree.h"

namespace ansatz::rfm {

/// The file has
/// - the text `tree`: JSON of its routing options and the number of leaves and training rows' inputs;
/// - of s splits, if any: `tree.directions` (s x d), `tree.cuts` (s x 2: threshold, spread), `tree.children` (s x 2:
/// below,
///   above; see TreeSplit), all F64, whatever the machines are in;
/// - of leaf i, under `leaf.<i>.`, what add_machine() writes, and `rows` (F64), which of the training rows its centres
/// are. With CentersKept::in_file centres are Scalars there, also where the tree itself keeps them smaller.
/// `add_more` may add what else the file is to have, and sees the checksum of all these tensors. Throws OutputError.
template <class Scalar>
void write_tree(const std::filesystem::path& path, const RfmTree<Scalar>& tree, CentersKept centers,
                const std::function<void(SafetensorsWriter&)>& add_more = {});

/// What write_tree has written. `training_rows` is called if the centres are kept elsewhere, and the tree's leaves then
/// share these rows. DataError naming the file if something is missing or damaged, or the rows are not the ones that
/// the tree was fitted on.
template <class Scalar>
RfmTree<Scalar> read_tree(const std::filesystem::path& path, const std::function<StoredRows<Scalar>()>& training_rows);

}  // namespace ansatz::rfm
