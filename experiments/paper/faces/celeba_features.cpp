// What network and RFM look at in faces, one task an attribute (paper, Figs 1, 2 and 15).
//
// Section celeba_features: `attributes`, each a part on dataset celeba with the network and the RFM of the top level;
// `control`: two of them, whose features should differ; `threshold` of RFM-T. Findings, an attribute each: r of the
// diagonals and |r| of the top eigenvectors of W₁ᵀW₁ and the RFM's M, both at the initial weights and after the last
// epoch too (the reported one is the best, or the last); the second eigenvalue relative to the first; the leading
// eigenvectors matched best to best; the mean r of the network's diagonal with the RFM's of the other tasks; test
// accuracies, also of RFM-T (Fig. 1's last row) and what that gains over the network. Figures: top eigenvectors and
// diagonals (Figs 1, 2), all eigenvectors compared (Fig. 15), task against task.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/features/comparison.h"
#include "experiments/paper/faces/eigenvector_match.h"
#include "experiments/paper/faces/face_pictures.h"
#include "experiments/paper/thresholded_rfm.h"
#include "experiments/results/score_findings.h"

namespace ansatz::experiments {
namespace {

struct Control {
  std::size_t network = 0, rfm = 0;  ///< parts
};

struct FaceOptions {
  std::optional<Control> control;
  double threshold = 0.05;  ///< of RFM-T
};

/// Whether the last epoch is known beside the reported one.
bool keeps_last_epoch(const NetworkOptions& network) {
  return network.train && network.snapshots > 0 && network.snapshot_eigenvectors;
}

/// Whether there are a second and a third eigenvector to match.
bool matches_eigenvectors(const FeatureComparisonOptions& options) { return options.comparison.top_eigenvectors >= 3; }

std::vector<std::string> finding_names(const std::vector<Part>& parts, bool control) {
  std::vector<std::string> names;
  for (const Part& part : parts) {
    const auto add = [&](const std::vector<const char*>& list) {
      for (const char* what : list) names.push_back(part.name + "." + what);
    };
    add({"diagonal_pearson", "top_eigenvector_pearson", "initial_diagonal_pearson", "initial_top_eigenvector_pearson",
         "network_eigenvalue_ratio", "rfm_eigenvalue_ratio", "rfm_t_kept", "rfm_t_accuracy", "rfm_t_network_gain"});
    if (matches_eigenvectors(part.options))
      add({"second_eigenvector_pearson", "second_with_third_pearson", "second_matched_pearson",
           "matched_eigenvectors_pearson"});
    if (keeps_last_epoch(*part.options.network))
      add({"reported_epoch", "last_diagonal_pearson", "last_top_eigenvector_pearson", "last_network_accuracy"});
    if (parts.size() > 1) add({"other_tasks_diagonal_pearson"});
    for (std::string& name : accuracy_names(part.name + ".", part.options)) names.push_back(std::move(name));
  }
  if (control) names.push_back("control.diagonal_pearson");
  return names;
}

FaceFeatures features_of(const FeatureRecord& record) {
  const Index k = record.eigenvectors.rows();
  return {record.diagonal, record.eigenvectors, record.eigenvalues.head(k) / record.trace};
}

/// An eigenvector's sign is arbitrary: of the RFM's that of the network's it is matched with.
void align_signs(FaceDigest& digest) {
  for (std::size_t i = 0; i < digest.matches.size(); ++i) {
    if (digest.matches[i] < 0) continue;
    auto rfm = digest.rfm.eigenvectors.row(digest.matches[i]);
    if (digest.network.eigenvectors.row(static_cast<Index>(i)).dot(rfm) < 0) rfm *= -1;
  }
}

double eigenvalue_ratio(const std::vector<double>& eigenvalues) { return eigenvalues.at(1) / eigenvalues.at(0); }

/// Adds findings of one part.
class FindingsOfPart {
 public:
  FindingsOfPart(const Part& part, std::vector<Finding>& findings) : name_(part.name), findings_(findings) {}
  void add(const std::string& what, const std::string& meaning, double value, const std::string& unit = "") {
    findings_.push_back({name_ + "." + what, name_ + ": " + meaning, value, unit});
  }
  void add(Finding finding) { findings_.push_back(std::move(finding)); }
  void add_likeness(const std::string& prefix, const char* when, double diagonals, double top_eigenvectors) {
    add(prefix + "diagonal_pearson", std::string("r of the diagonals") + when, diagonals);
    add(prefix + "top_eigenvector_pearson", std::string("|r| of the top eigenvectors") + when, top_eigenvectors);
  }
  std::string name(const char* what) const { return name_ + "." + what; }
  std::string meaning(const char* what) const { return name_ + ": " + what; }

 private:
  std::string name_;
  std::vector<Finding>& findings_;
};

void add_eigenvectors(const FaceDigest& digest, FindingsOfPart& findings) {
  const Matrix<double>& likeness = digest.eigenvector_likeness;
  const auto entry = [&](Index row, Index column) {
    const bool there = row < likeness.rows() && column >= 0 && column < likeness.cols();
    return there ? likeness(row, column) : std::numeric_limits<double>::quiet_NaN();
  };
  findings.add("second_eigenvector_pearson", "|r| of the second eigenvectors", entry(1, 1));
  findings.add("second_with_third_pearson", "|r| of the network's 2nd eigenvector with the RFM's 3rd", entry(1, 2));
  findings.add("second_matched_pearson", "|r| of the network's 2nd eigenvector with the RFM's it is matched with",
               digest.matches.size() > 1 ? entry(1, digest.matches[1]) : entry(1, -1));
  findings.add("matched_eigenvectors_pearson", "mean |r| of the leading eigenvectors, matched best to best",
               mean_of_matches(likeness, digest.matches));
}

/// The last epoch beside the reported one: its features are those of the last snapshot.
void add_last_epoch(const RunRecord& record, const Models& models, FindingsOfPart& findings) {
  const FeatureEvolution& evolution = *record.evolution;
  findings.add("reported_epoch", "epoch of the reported network", static_cast<double>(*record.network->reported_epoch));
  findings.add_likeness("last_", ", last epoch", evolution.with_rfm.back(), evolution.top_with_rfm.back());
  findings.add(accuracy_finding(findings.name("last_network_accuracy"),
                                findings.meaning("test accuracy, network after the last epoch"),
                                percent(models.last_network_test()), record.data->test_size));
}

void add_thresholded(const ThresholdedRfm& rfm_t, const RunRecord& record, const Models& models,
                     FindingsOfPart& findings) {
  findings.add("rfm_t_kept", "coordinates kept by RFM-T",
               100 * static_cast<double>(rfm_t.kept.size()) / static_cast<double>(record.data->dimension), "%");
  findings.add(accuracy_finding(findings.name("rfm_t_accuracy"), findings.meaning("test accuracy, RFM-T"),
                                rfm_t.accuracy, record.data->test_size));
  findings.add(paired_gain_finding(findings.name("rfm_t_network_gain"), findings.meaning("RFM-T less network, points"),
                                   rfm_t.right, models.network_right()));
}

FaceDigest digest(const FaceOptions& options, const Part& part, const RunRecord& record, const Models& models,
                  const RunContext& run) {
  const FeatureId learned = record.rfm->feature_id();
  FaceDigest digest;
  digest.shape = *record.data->image_shape;
  digest.network = features_of(*record.find(FeatureId::nfm()));
  digest.rfm = features_of(*record.find(learned));
  digest.eigenvector_likeness = eigenvector_likeness(digest.network.eigenvectors, digest.rfm.eigenvectors);
  digest.matches = match_best_to_best(digest.eigenvector_likeness);
  align_signs(digest);
  digest.likeness = record.find_pair(FeatureId::nfm(), learned)->values;
  digest.evolution = record.evolution;
  digest.network_accuracy = percent(record.network->metrics.test);
  digest.rfm_accuracy = percent(record.rfm->reported_iteration().test);
  const ThresholdedRfm rfm_t = threshold_rfm(digest.rfm.diagonal, options.threshold, part, models, run);
  digest.rfm_t_accuracy = rfm_t.accuracy;

  FindingsOfPart findings(part, digest.findings);
  findings.add_likeness("", "", digest.likeness.diagonal_pearson, digest.likeness.top_eigenvector_pearson.front());
  if (const FeaturePair* initial = record.find_pair(FeatureId::initial_nfm(), learned))
    findings.add_likeness("initial_", ", at the initial weights", initial->values.diagonal_pearson,
                          initial->values.top_eigenvector_pearson.front());
  if (keeps_last_epoch(*part.options.network)) add_last_epoch(record, models, findings);
  findings.add("network_eigenvalue_ratio", "2nd eigenvalue by the 1st, network",
               eigenvalue_ratio(digest.likeness.eigenvalues_a));
  findings.add("rfm_eigenvalue_ratio", "2nd eigenvalue by the 1st, RFM",
               eigenvalue_ratio(digest.likeness.eigenvalues_b));
  if (matches_eigenvectors(part.options)) add_eigenvectors(digest, findings);
  for (Finding& finding : accuracy_findings(part.name + ".", part.name + ": ", record))
    findings.add(std::move(finding));
  add_thresholded(rfm_t, record, models, findings);
  return digest;
}

TaskLikeness task_against_task(const std::vector<FaceDigest>& digests) {
  const auto n = static_cast<Index>(digests.size());
  TaskLikeness likeness{Matrix<double>(n, n), Matrix<double>(n, n)};
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const FaceFeatures &network = digests[static_cast<std::size_t>(i)].network,
                         &rfm = digests[static_cast<std::size_t>(j)].rfm;
      likeness.diagonals(i, j) = pearson(network.diagonal, rfm.diagonal);
      likeness.top_eigenvectors(i, j) =
          std::fabs(pearson(network.eigenvectors.row(0).transpose(), rfm.eigenvectors.row(0).transpose()));
    }
  return likeness;
}

/// r: of the diagonals, task against task.
std::vector<Finding> all_findings(const std::vector<Part>& parts, const std::vector<FaceDigest>& digests,
                                  const std::optional<Control>& control, const Matrix<double>& r) {
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    findings.insert(findings.end(), digests[i].findings.begin(), digests[i].findings.end());
    const auto row = static_cast<Index>(i);
    if (r.cols() > 1)
      findings.push_back({parts[i].name + ".other_tasks_diagonal_pearson",
                          parts[i].name + ": mean r of its network's diagonal with other tasks' RFMs",
                          (r.row(row).sum() - r(row, row)) / static_cast<double>(r.cols() - 1)});
  }
  if (control)
    findings.push_back({"control.diagonal_pearson",
                        fmt::format("r of the diagonals, network {} and RFM {}", parts[control->network].name,
                                    parts[control->rfm].name),
                        r(static_cast<Index>(control->network), static_cast<Index>(control->rfm))});
  return findings;
}

ExperimentSummary summarize(const std::vector<Part>& parts, const std::vector<FaceDigest>& digests,
                            const std::optional<Control>& control, const RunContext& run) {
  ExperimentSummary summary;
  const TaskLikeness likeness = task_against_task(digests);
  summary.findings = all_findings(parts, digests, control, likeness.diagonals);
  if (!parts.front().options.save.images) return summary;
  summary.figures = {draw_features(parts, digests, run), draw_eigenvectors(parts, digests, run)};
  if (digests.front().evolution) summary.figures.push_back(draw_evolutions(parts, digests, run));
  if (parts.size() > 1) summary.figures.push_back(draw_tasks(parts, likeness, run));
  return summary;
}

std::optional<Control> parse_control(const Config& own) {
  if (!own.has("control")) return std::nullopt;
  const auto attributes = own.get("attributes", std::vector<std::string>{});
  const auto pair = own.get("control", std::vector<std::string>{});
  const auto number = [&](const std::string& attribute) {
    const auto found = std::find(attributes.begin(), attributes.end(), attribute);
    if (found == attributes.end()) own.fail("control", attribute + " is not one of the attributes");
    return static_cast<std::size_t>(found - attributes.begin());
  };
  if (pair.size() != 2) own.fail("control", "must be two of the attributes: the network's and the RFM's");
  return Control{number(pair[0]), number(pair[1])};
}

}  // namespace

PreparedExperiment prepare_celeba_features(const Config& root, const CommonOptions& common) {
  const Config own = root.section("celeba_features");
  const std::vector<Part> parts = parse_attribute_parts(root, own, common);
  FaceOptions options{parse_control(own)};
  options.threshold = own.get_fraction("threshold", options.threshold);
  const FeatureComparisonOptions& shared = parts.front().options;
  if (!shared.network || !shared.rfm || shared.rfm->iterations < 1)
    root.fail("",
              "celeba_features compares a network with an RFM that learns: network and rfm (iterations: 1) are needed");
  PartsExperiment<FaceDigest> experiment{
      parts, parse_expectations(root, finding_names(parts, options.control.has_value())), {}, {}};
  experiment.digest = [options](const Part& part, const RunRecord& record, const Models& models,
                                const RunContext& run) { return digest(options, part, record, models, run); };
  experiment.summarize = [options](const auto& all, const auto& digests, const RunContext& run) {
    return summarize(all, digests, options.control, run);
  };
  return prepare_parts(common, experiment);
}

}  // namespace ansatz::experiments
