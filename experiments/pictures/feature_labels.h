// Input coordinates by name in pictures.
#pragma once

#include <string>
#include <vector>

#include "core/record/run_record.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {

/// The names of the first `count` coordinates on one line each: characters that would not be seen are escaped.
std::vector<std::string> feature_labels(const DataRecord& data, Index count);

/// The largest entries of the diagonals as bars, a row a coordinate, in % of each matrix's trace; beside them, where
/// there are one-hot columns, the sums over each variable. `labels`: of the matrices.
void draw_top_features(const std::vector<std::string>& labels, const FeatureRanking& ranking,
                       const viz::FigureFiles& files);

/// The largest loadings of the leading eigenvectors as bars, a plot an eigenvector. Nothing where there are none.
void draw_loadings(const std::vector<std::string>& labels, const FeatureRanking& ranking,
                   const viz::FigureFiles& files);

std::vector<std::string> labels_of(const FeatureRanking& ranking);  ///< of its `matrices`

}  // namespace ansatz::experiments
