// What each input coordinate is called, and what the diagonals of feature matrices give to it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/record/run_record.h"

namespace ansatz {

/// The name of coordinate i of d (from 0): its own; or its place in the image, rows and columns counted from 1 ("r12
/// c7", "red r12 c7", "channel 4 r12 c7"); or "x3".
std::string feature_name(const DataRecord& data, Index i);

/// Coordinates from the largest entry of a diagonal down; equal entries in their own order.
std::vector<Index> descending_order(const Vector<double>& entries);

/// The place of each entry in that order, from 1; equal entries share the first of their places.
std::vector<Index> ranks_of(const Vector<double>& entries);

/// The same diagonal with one entry a column group: the trace of the group's block.
Vector<double> sums_over_groups(const Vector<double>& diagonal, const std::vector<ColumnGroup>& groups);

/// Whether a variable has several coordinates, so that sums over groups say more than the entries.
bool has_one_hot(const std::vector<ColumnGroup>& groups);

/// The matrix that stands for what an RFM learned, or the leaves of a tree of RFMs; none if there is none.
std::optional<FeatureId> learned_by_rfm(const RunRecord& record);

/// The feature matrices of the record: the network's W₁ᵀW₁, the RFM's learned M, then the rest in the record's order.
std::vector<const FeatureRecord*> network_and_rfm_first(const RunRecord& record);

/// The largest entries of W₁ᵀW₁, the RFM's learned M and the truth by name: the coordinates (and variables) to which
/// one of these gives its largest shares of the trace, at most kRankedFeatures; and those to which one of their leading
/// eigenvectors gives its largest entries, signs turned to agree. None for images, whose diagonals are shown as
/// pictures, and where none of these matrices is there.
std::optional<FeatureRanking> rank_features(const RunRecord& record);

/// The same of the feature matrices that the methods of a benchmark learned on a set, at most kRankedMethods.
struct SetRanking {
  std::vector<std::string> methods;  ///< whose matrices they are
  FeatureRanking ranking;            ///< its `matrices` are left empty
};
inline constexpr std::size_t kRankedMethods = 4;
std::optional<SetRanking> rank_features(const BenchmarkSet& set);  ///< none where no method learned features

}  // namespace ansatz
