#include "core/record/run_record.h"

#include <limits>

namespace ansatz {

const FeatureRecord* RunRecord::find(const FeatureId& id) const {
  for (const FeatureRecord& feature : features)
    if (feature.id == id) return &feature;
  return nullptr;
}

const FeaturePair* RunRecord::find_pair(const FeatureId& a, const FeatureId& b) const {
  for (const FeaturePair& pair : pairs)
    if (pair.a == a && pair.b == b) return &pair;
  return nullptr;
}

double RunRecord::subspace_share(const FeatureId& id) const {
  for (const auto& [feature, share] : subspace_shares)
    if (feature == id) return share;
  return std::numeric_limits<double>::quiet_NaN();
}

std::vector<ModelScores> scores_of(const RunRecord& record) {
  std::vector<ModelScores> scores;
  if (record.network) scores.push_back({"network", record.network->metrics});
  if (record.rfm) scores.push_back({"rfm", record.rfm->reported_iteration()});
  for (const KernelMachineRecord& machine : record.kernel_machines) scores.push_back({machine.label, machine.metrics});
  return scores;
}

}  // namespace ansatz
