// The directions along which the rows of a node may be split.
#pragma once

#include "core/base/random.h"
#include "core/data/dataset.h"
#include "rfm/trees/tree_options.h"

namespace ansatz::rfm {

/// Unit vectors (k x d), the best first: the leading eigenvectors of the AGOP of an RFM fitted to `sample`, then the
/// directions in which its inputs vary most (all that there is where the targets do not vary). A diagonal AGOP has the
/// axes as eigenvectors. The sign of each is fixed (see EigenPairs).
template <class Scalar>
Matrix<double> split_directions(const Dataset<Scalar>& sample, const RfmTreeOptions& options,
                                const RandomStream& stream);

}  // namespace ansatz::rfm
