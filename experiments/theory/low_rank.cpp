// Low-rank polynomial tasks that know their own gradient outer product (paper, Fig. 16 and appendix D).
//
// Each part is a comparison on a synthetic task (dataset: low_rank). Findings, a part each: how much of the feature
// matrices of RFM and network lies in the subspace that the target depends on, and r with the expected gradient outer
// product (which leaves out where the target jumps); R² on test of every model, of the network on the training rows
// too; by how much the RFM, and the models that learn features, do better than all others. Figure: that matrix beside
// both feature matrices.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/parts.h"
#include "experiments/results/score_findings.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {
namespace {

constexpr Index kShown = 10;  // rows and columns of each matrix, as in the paper's figure

std::vector<std::string> finding_names(const std::vector<Part>& parts) {
  std::vector<std::string> names;
  for (const Part& part : parts) {
    for (const char* what :
         {"rfm_truth_pearson", "network_truth_pearson", "rfm_subspace_share", "network_subspace_share",
          "rfm_share_gain", "rfm_r2_gain", "features_r2_gain", "network_train_r2"})
      names.push_back(part.name + "." + what);
    for (std::string& name : score_names(part.name + ".", Score::r2, part.options)) names.push_back(std::move(name));
  }
  return names;
}

void add_likeness(const Part& part, const RunRecord& record, const FeatureId& features, const std::string& model,
                  std::vector<Finding>& findings) {
  const FeaturePair* pair = record.find_pair(features, FeatureId::truth());
  if (pair == nullptr) return;
  const char* matrix = model == "rfm" ? "the RFM's M" : "the network's W₁ᵀW₁";
  findings.push_back({fmt::format("{}.{}_truth_pearson", part.name, model),
                      fmt::format("{}: r of {} with the expected AGOP", part.name, matrix),
                      pair->values.matrix_pearson});
  findings.push_back({fmt::format("{}.{}_subspace_share", part.name, model),
                      fmt::format("{}: share of {} in the subspace that the target depends on", part.name, matrix),
                      100 * record.subspace_share(features), "%"});
}

/// The test R² of some models less the best of all others: of the RFM, and the least of RFM and network.
void add_gains(const Part& part, const RunRecord& record, std::vector<Finding>& findings) {
  if (!record.rfm) return;
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  double rfm = kNone, network = kNone, kernels = kNone;
  for (const ModelScores& scores : scores_of(record)) {
    const double r2 = value_of(Score::r2, scores.metrics.test);
    (scores.model == "rfm"       ? rfm
     : scores.model == "network" ? network
                                 : kernels) =
        scores.model == "rfm" || scores.model == "network" ? r2 : std::max(kernels, r2);
  }
  const auto add = [&](const char* name, const char* meaning, double value) {
    if (std::isfinite(value)) findings.push_back({part.name + "." + name, part.name + ": " + meaning, value});
  };
  add("rfm_r2_gain", "R² of the RFM less the best of all others", rfm - std::max(network, kernels));
  if (record.network)
    add("features_r2_gain", "the lower R² of RFM and network less the best kernel's", std::min(rfm, network) - kernels);
}

std::vector<Finding> findings_of(const Part& part, const RunRecord& record) {
  std::vector<Finding> findings;
  if (record.rfm) add_likeness(part, record, record.rfm->feature_id(), "rfm", findings);
  if (record.network) add_likeness(part, record, FeatureId::nfm(), "network", findings);
  if (record.rfm && record.network)
    findings.push_back(
        {part.name + ".rfm_share_gain",
         part.name + ": share of the RFM's M in the subspace that the target depends on, less the network's",
         100 * (record.subspace_share(record.rfm->feature_id()) - record.subspace_share(FeatureId::nfm())), "%"});
  add_gains(part, record, findings);
  if (record.network)
    findings.push_back({part.name + ".network_train_r2", part.name + ": R² of the network on the training rows",
                        record.network->metrics.train.r2});
  for (Finding& finding :
       score_findings(part.name + ".", part.name + ": ", Score::r2, scores_of(record), record.data->test_size))
    findings.push_back(std::move(finding));
  return findings;
}

/// The top-left corners of the expected AGOP and both feature matrices.
Figure draw(const Part& part, const RunRecord& record, const RunContext& run) {
  std::vector<viz::HeatMap> maps;
  const auto add = [&](const char* title, const FeatureId& id) {
    const FeatureRecord* features = record.find(id);
    if (features == nullptr) return;
    const Index shown = std::min(kShown, features->corner.rows());
    viz::HeatMap map;
    map.title = title;
    map.values = features->corner.topLeftCorner(shown, shown);
    maps.push_back(std::move(map));
  };
  add("expected AGOP", FeatureId::truth());
  add("network W₁ᵀW₁", FeatureId::nfm());
  if (record.rfm) add("RFM M", record.rfm->feature_id());
  const std::string file = "features_" + part.name;
  viz::draw_heat_maps(maps, run.directory.path() / "images" / file);
  return {
      file, part.name + ": the expected gradient outer product beside both feature matrices",
      fmt::format("{}: the expected gradient outer product of the target beside the feature matrices of network and "
                  "RFM, top-left corners.",
                  part.name)};
}

ExperimentSummary summarize(const std::vector<Part>& parts, const std::vector<RunRecord>& records,
                            const RunContext& run) {
  ExperimentSummary summary;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (Finding& finding : findings_of(parts[i], records[i])) summary.findings.push_back(std::move(finding));
    if (parts[i].options.save.images) summary.figures.push_back(draw(parts[i], records[i], run));
  }
  return summary;
}

}  // namespace

PreparedExperiment prepare_low_rank(const Config& root, const CommonOptions& common) {
  const std::vector<Part> parts = parse_parts(root, common);
  for (const Part& part : parts)
    if (part.options.dataset.name != "low_rank")
      root.fail("parts", "experiment low_rank needs dataset: {name: low_rank}");
  return prepare_parts<RunRecord>(common,
                                  {parts, parse_expectations(root, finding_names(parts)), whole_record, summarize});
}

}  // namespace ansatz::experiments
