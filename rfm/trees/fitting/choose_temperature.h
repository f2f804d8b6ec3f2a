// How softly a tree of RFMs routes, by its validation rows.
#pragma once

#include "rfm/trees/fitting/fit_rfm_tree.h"

namespace ansatz::rfm {

/// The tree's predictions of the validation rows at each of the temperatures; leaves are evaluated once for all of
/// them. None where there is but one temperature, one leaf, or no validation row.
template <class Scalar>
std::vector<TemperatureRecord> try_temperatures(const RfmTree<Scalar>& tree, const StoredDataset<Scalar>& validation,
                                                const RfmTreeOptions& options, const RandomStream& stream);

/// `options` with the temperature that predicts best, the first of equals; as they are if none was tried.
RoutingOptions best_of(const std::vector<TemperatureRecord>& tried, RoutingOptions options);

}  // namespace ansatz::rfm
