#include "experiments/paper/theory/low_rank.h"

#include <fmt/format.h>

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
    for (const char* what : {"rfm_truth_pearson", "network_truth_pearson"}) names.push_back(part.name + "." + what);
    for (std::string& name : score_names(part.name + ".", Score::r2, part.options)) names.push_back(std::move(name));
  }
  return names;
}

template <class Scalar>
void add_likeness(const Part& part, const ComparisonResult<Scalar>& comparison, const FeatureId& features,
                  const std::string& model, std::vector<Finding>& findings) {
  const IdentifiedComparison* pair = comparison.find_pair(features, FeatureId::truth());
  if (pair == nullptr) return;
  findings.push_back({fmt::format("{}.{}_truth_pearson", part.name, model),
                      fmt::format("{}: r of {} with the expected AGOP", part.name,
                                  model == "rfm" ? "the RFM's M" : "the network's W₁ᵀW₁"),
                      pair->values.matrix_pearson});
}

template <class Scalar>
void add_findings(const Part& part, const Results<Scalar>& results, std::vector<Finding>& findings) {
  if (results.rfm) {
    add_likeness(part, results.comparison, results.rfm->feature_id(), "rfm", findings);
  }
  if (results.network) {
    add_likeness(part, results.comparison, FeatureId::nfm(), "network", findings);
  }
  for (Finding& finding : score_findings(part.name + ".", part.name + ": ", Score::r2, model_scores(results)))
    findings.push_back(std::move(finding));
}

/// The top-left corner.
template <class Scalar>
viz::HeatMap corner(const std::string& title, const FeatureMatrix<Scalar>& m) {
  viz::HeatMap map;
  map.title = title;
  map.values = m.top_left_block(kShown).template cast<double>();
  return map;
}

template <class Scalar>
Figure draw(const Part& part, const Results<Scalar>& results, const RunContext& run) {
  std::vector<viz::HeatMap> maps;
  if (const auto& truth = results.split->truth) maps.push_back(corner("expected AGOP", truth->expected_agop));
  if (results.network) maps.push_back(corner("network W₁ᵀW₁", results.network->nfm));
  if (results.rfm) maps.push_back(corner("RFM M", results.rfm->features()));
  const std::string file = "features_" + part.name;
  viz::draw_heat_maps(maps, run.directory.path() / "images" / file);
  return {
      file, part.name + ": the expected gradient outer product beside both feature matrices",
      fmt::format("{}: the expected gradient outer product of the target beside the feature matrices of network and "
                  "RFM, top-left corners.",
                  part.name)};
}

template <class Scalar>
PartsSummary summarize(const std::vector<Part>& parts, const AllResults<Scalar>& results, const RunContext& run) {
  PartsSummary summary;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    add_findings(parts[i], *results[i], summary.findings);
    if (parts[i].options.save.images) summary.figures.push_back(draw(parts[i], *results[i], run));
  }
  return summary;
}

}  // namespace

PreparedExperiment prepare_low_rank(const Config& root, const CommonOptions& common) {
  std::vector<Part> parts = parse_parts(root, common);
  for (const Part& part : parts)
    if (part.options.dataset.name != "low_rank")
      root.fail("parts", "experiment low_rank needs dataset: {name: low_rank}");
  const Expectations expectations = parse_expectations(root, finding_names(parts));
  return prepare_parts(common, std::move(parts), expectations, {summarize<float>, summarize<double>});
}

}  // namespace ansatz::experiments
