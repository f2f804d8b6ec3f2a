// What a run on a tree of RFMs found and leaves behind.
#pragma once

#include <string>
#include <vector>

#include "core/data/loading/stored/load_stored.h"
#include "core/record/run_record.h"
#include "experiments/options/options.h"
#include "experiments/stages/run_context.h"
#include "rfm/trees/fitting/fit_rfm_tree.h"

namespace ansatz::experiments {

inline constexpr const char* kTreeLabel = "tree";  ///< in models/, predictions/ and metrics.json

struct TreeRunOptions {
  CommonOptions common;
  DatasetOptions dataset;
  std::string dataset_yaml;  ///< as in FeatureComparisonOptions
  rfm::RfmTreeOptions tree;
  SaveOptions save;
  Index top_eigenvectors = 3;
};

/// The data as a tree takes them.
template <class Scalar>
struct TreeData {
  rfm::StoredSplit<Scalar> split;
  StoredDataset<Scalar> test;
  InputTransform transform;
  std::vector<std::string> notes;
};

/// Scores the tree, writes predictions/, matrices/, models/ and leaves.csv as options.save asks, and returns the record
/// (all of it but the data's digest). Inputs become Scalars some hundred megabytes at a time.
template <class Scalar>
RunRecord write_tree_results(const TreeRunOptions& options, const TreeData<Scalar>& data,
                             const rfm::RfmTreeFit<Scalar>& fit, const RunContext& run);

}  // namespace ansatz::experiments
