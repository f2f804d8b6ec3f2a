// The digit in the centre, among others: both models look at the middle columns (paper, Section 3.2 and Fig. 3).
//
// One comparison on dataset svhn or crowded_digits, in parts/<dataset>/; kernel machines on `metric: rfm` give the
// paper's "RFM (NTK)". Findings: accuracy and mean squared error of every model, what network and RFM gain over each
// kernel that learned no features, what kernels on the RFM's features gain over the network, and their mean squared
// error over the network's, the share of the middle half of the columns (from width/4 on) in every diagonal, r of the
// diagonals. Figures: samples, diagonals, scores.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "experiments/paper/image_regions.h"
#include "experiments/parts.h"
#include "experiments/pictures/feature_cells.h"
#include "experiments/results/score_findings.h"

namespace ansatz::experiments {
namespace {

/// A diagonal that is shown and measured.
struct Diagonal {
  std::string name;   ///< of its finding, "<name>_center_share"
  std::string label;  ///< of its picture
  Vector<double> values;
};

struct Sample {
  std::string label;
  viz::Image picture;
};

struct Digest {
  ImageShape shape;
  std::vector<Diagonal> diagonals;
  std::vector<ModelScores> scores;
  std::vector<Sample> samples;
  std::vector<Finding> findings;
};

double center_share(const Vector<double>& diagonal, const ImageShape& shape) {
  return column_share(diagonal, shape, shape.width / 4, shape.width - shape.width / 4);
}

/// "<model>_gain_over_<other>": which accuracies are compared.
std::vector<std::pair<std::string, std::string>> compared_models(const Part& part) {
  std::vector<std::pair<std::string, std::string>> pairs = {{"rfm", "network"}};
  for (const KernelMachineOptions& machine : part.options.kernel_machines) {
    if (machine.metric == Metric::identity)
      for (const char* model : {"network", "rfm"}) pairs.emplace_back(model, machine.label);
    if (machine.metric == Metric::rfm) pairs.emplace_back(machine.label, "network");
  }
  return pairs;
}

/// The kernel machines whose error is divided by the network's: none beside a network of logits, which has none.
std::vector<std::string> machines_beside_network(const Part& part) {
  std::vector<std::string> labels;
  if (part.options.network->training.loss == Loss::cross_entropy) return labels;
  for (const KernelMachineOptions& machine : part.options.kernel_machines)
    if (machine.metric == Metric::rfm) labels.push_back(machine.label);
  return labels;
}

std::vector<std::string> finding_names(const Part& part) {
  std::vector<std::string> names = {"rfm_gain", "diagonal_pearson", "learned_pearson", "initial_diagonal_pearson"};
  for (const char* name : {"network", "learned", "initial", "network_agop", "rfm"})
    names.push_back(std::string(name) + "_center_share");
  for (const auto& [model, other] : compared_models(part)) names.push_back(model + "_gain_over_" + other);
  for (const std::string& label : machines_beside_network(part)) names.push_back(label + "_mse_over_network");
  for (const Score score : {Score::accuracy, Score::mse})
    for (std::string& name : score_names("", score, part.options)) names.push_back(std::move(name));
  return names;
}

std::vector<Diagonal> diagonals_of(const RunRecord& record) {
  std::vector<Diagonal> diagonals = {{"network", "network W₁ᵀW₁", record.find(FeatureId::nfm())->diagonal}};
  const FeatureRecord* initial = record.find(FeatureId::initial_nfm());
  if (initial != nullptr) diagonals.push_back({"learned", "(W₁−W₀)ᵀ(W₁−W₀)", record.network->learned_diagonal});
  diagonals.push_back({"network_agop", "network AGOP", record.find(FeatureId::agop())->diagonal});
  diagonals.push_back({"rfm", "RFM M", record.find(record.rfm->feature_id())->diagonal});
  if (initial != nullptr) diagonals.push_back({"initial", "initial W₀ᵀW₀", initial->diagonal});
  return diagonals;
}

/// The first test image of each class, as the model sees it.
std::vector<Sample> samples_of(const RunRecord& record, const Models& models) {
  const std::vector<std::string>& names = record.data->class_names;
  const std::vector<Index> labels = models.classes(Rows::test);
  std::vector<Sample> samples;
  for (std::size_t label = 0; label < names.size(); ++label) {
    const auto first = std::find(labels.begin(), labels.end(), static_cast<Index>(label));
    if (first == labels.end()) continue;
    const Matrix<double> image = models.inputs(Rows::test, {static_cast<Index>(first - labels.begin())});
    samples.push_back({names[label], viz::rgb_image(image.row(0).transpose(), *record.data->image_shape)});
  }
  return samples;
}

void add_likeness(const RunRecord& record, std::vector<Finding>& findings) {
  const FeatureId learned = record.rfm->feature_id();
  findings.push_back(
      {"diagonal_pearson", "r of the diagonals", record.find_pair(FeatureId::nfm(), learned)->values.diagonal_pearson});
  const FeaturePair* initial = record.find_pair(FeatureId::initial_nfm(), learned);
  if (initial == nullptr) return;
  findings.push_back({"learned_pearson", "r of the diagonals of (W₁−W₀)ᵀ(W₁−W₀) and the RFM's M",
                      pearson(record.network->learned_diagonal, record.find(learned)->diagonal)});
  findings.push_back(
      {"initial_diagonal_pearson", "r of the diagonals, at the initial weights", initial->values.diagonal_pearson});
}

void add_gains(const Part& part, const RunRecord& record, std::vector<Finding>& findings) {
  const std::vector<ModelScores> scores = scores_of(record);
  const auto accuracy = [&](const std::string& name) { return value_of(Score::accuracy, scores, name); };
  for (const auto& [model, other] : compared_models(part))
    findings.push_back(gain_finding(fmt::format("{}_gain_over_{}", model, other),
                                    fmt::format("test accuracy, {} less {}, points", model, other), accuracy(model),
                                    accuracy(other), record.data->test_size));
  for (const std::string& label : machines_beside_network(part))
    findings.push_back({label + "_mse_over_network", fmt::format("test MSE, {} over network", label),
                        value_of(Score::mse, scores, label) / value_of(Score::mse, scores, "network")});
}

Digest digest(const Part& part, const RunRecord& record, const Models& models, const RunContext&) {
  Digest digest;
  digest.shape = *record.data->image_shape;
  digest.diagonals = diagonals_of(record);
  digest.scores = scores_of(record);
  digest.samples = samples_of(record, models);
  for (const Score score : {Score::accuracy, Score::mse})
    for (Finding& finding : score_findings("", "", score, digest.scores, record.data->test_size))
      digest.findings.push_back(std::move(finding));
  digest.findings.push_back(gain_finding("rfm_gain", "test accuracy of the RFM less that of its plain kernel, points",
                                         percent(record.rfm->reported_iteration().test),
                                         percent(record.rfm->iterations.front().test), record.data->test_size));
  add_gains(part, record, digest.findings);
  for (const Diagonal& diagonal : digest.diagonals)
    digest.findings.push_back({diagonal.name + "_center_share",
                               fmt::format("share of the middle columns in the diagonal, {}", diagonal.label),
                               100 * center_share(diagonal.values, digest.shape), "%"});
  add_likeness(record, digest.findings);
  return digest;
}

Figure draw_samples(const Digest& digest, const RunContext& run) {
  viz::Panel panel;
  panel.title = "Test images, with their labels";
  panel.rows.resize(1);
  for (const Sample& sample : digest.samples) {
    viz::PanelCell cell;
    cell.title = sample.label;
    cell.rgb = sample.picture;
    panel.rows[0].push_back(std::move(cell));
  }
  viz::draw_panel(panel, run.directory.path() / "images/samples");
  return {"samples", "Test images",
          "The first test image of each class (Fig. 3a): the digit in the centre is the label."};
}

/// One picture a diagonal, in one row.
Figure draw_diagonals(const Digest& digest, const RunContext& run) {
  viz::Panel panel;
  panel.title = "Which pixels the models look at";
  panel.note = "Mean over the colour channels; each picture has its own linear scale.";
  panel.rows.resize(1);
  for (const Diagonal& diagonal : digest.diagonals) {
    viz::PanelCell cell = diagonal_cell(diagonal.values, digest.shape);
    cell.title = diagonal.label;
    const double share = 100 * center_share(diagonal.values, digest.shape);
    cell.captions = {std::isfinite(share) ? fmt::format("{:.1f} % in the middle half", share) : "all entries are 0"};
    panel.rows[0].push_back(std::move(cell));
  }
  viz::draw_panel(panel, run.directory.path() / "images/diagonals_of_images");
  return {"diagonals_of_images", "Diagonals of the feature matrices",
          "Diagonals of the network's and the RFM's feature matrices (Fig. 3b), with the share of the middle half of "
          "the columns; equal entries would have 50 %."};
}

Figure draw_scores(const Digest& digest, const RunContext& run) {
  std::vector<viz::BarPlot> plots = {{"Test accuracy", "", "%", {}, {}},
                                     {"Test error", "", "mean squared error", {}, {}}};
  for (const Score score : {Score::accuracy, Score::mse}) {
    viz::BarPlot& plot = plots[score == Score::accuracy ? 0 : 1];
    plot.series.resize(1);
    for (const ModelScores& model : digest.scores) {
      if (score == Score::mse && model.metrics.train.cross_entropy) continue;  // its outputs are logits
      plot.categories.push_back(model.model);
      plot.series[0].y.push_back(value_of(score, model.metrics.test));
    }
  }
  viz::draw_bars(plots, run.directory.path() / "images/scores");
  return {"scores", "Test accuracy and error of every model", "Test accuracy and mean squared error (Fig. 3c)."};
}

ExperimentSummary summarize(const std::vector<Part>& parts, const std::vector<Digest>& digests, const RunContext& run) {
  const Digest& digest = digests.front();
  ExperimentSummary summary{digest.findings, {}};
  if (parts.front().options.save.images)
    summary.figures = {draw_samples(digest, run), draw_diagonals(digest, run), draw_scores(digest, run)};
  return summary;
}

}  // namespace

PreparedExperiment prepare_svhn(const Config& root, const CommonOptions& common) {
  const FeatureComparisonOptions options = parse_feature_comparison(root, common);
  const std::string& data = options.dataset.name;
  if (data != "svhn" && data != "crowded_digits")
    root.section("dataset").fail("name", "experiment svhn is about the digit in the centre: svhn or crowded_digits");
  if (!options.network || !options.rfm || options.rfm->iterations < 1)
    root.fail("", "svhn compares a network with an RFM that learns: network and rfm (iterations: 5) are needed");
  const Part part{data, options};
  return prepare_parts<Digest>(common, {{part}, parse_expectations(root, finding_names(part)), digest, summarize});
}

}  // namespace ansatz::experiments
