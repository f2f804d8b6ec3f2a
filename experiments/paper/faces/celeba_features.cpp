// What network and RFM look at in faces, one task an attribute (paper, Figs 1, 2 and 15).
//
// Section celeba_features: `attributes`, each a part on dataset celeba with the network and the RFM of the top level;
// `control`: two of them, whose features should differ. Findings, an attribute each: r of the diagonals and |r| of the
// top eigenvectors of W₁ᵀW₁ and the RFM's M, both at the initial weights too, the second eigenvalue relative to the
// first, the mean r of the network's diagonal with the RFM's of the other tasks, test accuracies. Figures: top
// eigenvectors and diagonals (Figs 1, 2), all eigenvectors compared (Fig. 15), task against task.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/parts.h"
#include "experiments/pictures/feature_cells.h"
#include "experiments/results/score_findings.h"

namespace ansatz::experiments {
namespace {

/// What the figures show of a feature matrix.
struct Features {
  Vector<double> diagonal;
  Matrix<double> eigenvectors;  ///< k x d
  Vector<double> shares;        ///< eigenvalues by the trace
};

struct Digest {
  ImageShape shape;
  Features network, rfm;
  std::optional<FeatureEvolution> evolution;
  FeatureComparison likeness;
  double network_accuracy = 0, rfm_accuracy = 0;  ///< on test, %
  std::vector<Finding> findings;
};

struct Control {
  std::size_t network = 0, rfm = 0;  ///< parts
};

std::vector<std::string> finding_names(const std::vector<Part>& parts, bool control) {
  std::vector<std::string> names;
  for (const Part& part : parts) {
    for (const char* what : {"diagonal_pearson", "top_eigenvector_pearson", "initial_diagonal_pearson",
                             "initial_top_eigenvector_pearson", "network_eigenvalue_ratio", "rfm_eigenvalue_ratio"})
      names.push_back(part.name + "." + what);
    if (parts.size() > 1) names.push_back(part.name + ".other_tasks_diagonal_pearson");
    for (std::string& name : accuracy_names(part.name + ".", part.options)) names.push_back(std::move(name));
  }
  if (control) names.push_back("control.diagonal_pearson");
  return names;
}

Features features_of(const FeatureRecord& record) {
  const Index k = record.eigenvectors.rows();
  return {record.diagonal, record.eigenvectors, record.eigenvalues.head(k) / record.trace};
}

/// An eigenvector's sign is arbitrary: here that of the other model's.
void align_signs(const Matrix<double>& reference, Matrix<double>& eigenvectors) {
  for (Index i = 0; i < eigenvectors.rows(); ++i)
    if (reference.row(i).dot(eigenvectors.row(i)) < 0) eigenvectors.row(i) *= -1;
}

double eigenvalue_ratio(const std::vector<double>& eigenvalues) { return eigenvalues.at(1) / eigenvalues.at(0); }

void add_likeness(const Part& part, const FeatureComparison& likeness, const char* when, const std::string& prefix,
                  std::vector<Finding>& findings) {
  const std::string name = part.name + "." + prefix;
  findings.push_back({name + "diagonal_pearson", part.name + ": r of the diagonals" + when, likeness.diagonal_pearson});
  findings.push_back({name + "top_eigenvector_pearson", part.name + ": |r| of the top eigenvectors" + when,
                      likeness.top_eigenvector_pearson.front()});
}

Digest digest(const Part& part, const RunRecord& record, const Models&, const RunContext&) {
  const FeatureId learned = record.rfm->feature_id();
  Digest digest;
  digest.shape = *record.data->image_shape;
  digest.network = features_of(*record.find(FeatureId::nfm()));
  digest.rfm = features_of(*record.find(learned));
  align_signs(digest.network.eigenvectors, digest.rfm.eigenvectors);
  digest.likeness = record.find_pair(FeatureId::nfm(), learned)->values;
  digest.evolution = record.evolution;
  digest.network_accuracy = percent(record.network->metrics.test);
  digest.rfm_accuracy = percent(record.rfm->reported_iteration().test);
  add_likeness(part, digest.likeness, "", "", digest.findings);
  if (const FeaturePair* initial = record.find_pair(FeatureId::initial_nfm(), learned))
    add_likeness(part, initial->values, ", at the initial weights", "initial_", digest.findings);
  digest.findings.push_back({part.name + ".network_eigenvalue_ratio",
                             part.name + ": 2nd eigenvalue by the 1st, network",
                             eigenvalue_ratio(digest.likeness.eigenvalues_a)});
  digest.findings.push_back({part.name + ".rfm_eigenvalue_ratio", part.name + ": 2nd eigenvalue by the 1st, RFM",
                             eigenvalue_ratio(digest.likeness.eigenvalues_b)});
  for (Finding& finding : accuracy_findings(part.name + ".", part.name + ": ", record))
    digest.findings.push_back(std::move(finding));
  return digest;
}

/// Row: the network's task; column: the RFM's.
struct TaskLikeness {
  Matrix<double> diagonals, top_eigenvectors;
};

TaskLikeness task_against_task(const std::vector<Digest>& digests) {
  const auto n = static_cast<Index>(digests.size());
  TaskLikeness likeness{Matrix<double>(n, n), Matrix<double>(n, n)};
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const Features &network = digests[static_cast<std::size_t>(i)].network,
                     &rfm = digests[static_cast<std::size_t>(j)].rfm;
      likeness.diagonals(i, j) = pearson(network.diagonal, rfm.diagonal);
      likeness.top_eigenvectors(i, j) =
          std::fabs(pearson(network.eigenvectors.row(0).transpose(), rfm.eigenvectors.row(0).transpose()));
    }
  return likeness;
}

/// r: of the diagonals, task against task.
std::vector<Finding> all_findings(const std::vector<Part>& parts, const std::vector<Digest>& digests,
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

std::string accuracy_caption(double accuracy) { return fmt::format("test {:.2f} %", accuracy); }

/// Top eigenvectors, then diagonals, the network's beside the RFM's (Figs 1 and 2).
std::vector<viz::PanelCell> main_row(const Digest& digest) {
  const auto network = feature_cells(digest.network.diagonal, digest.network.eigenvectors.topRows(1), digest.shape);
  const auto rfm = feature_cells(digest.rfm.diagonal, digest.rfm.eigenvectors.topRows(1), digest.shape);
  std::vector<viz::PanelCell> cells = {network[1], rfm[1], network[0], rfm[0]};
  const char* const titles[] = {"network: top eigenvector", "RFM: top eigenvector", "network: diagonal",
                                "RFM: diagonal"};
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i].title = titles[i];
  cells[0].captions = {accuracy_caption(digest.network_accuracy)};
  cells[1].captions = {fmt::format("|r| = {:.3f}", digest.likeness.top_eigenvector_pearson.front()),
                       accuracy_caption(digest.rfm_accuracy)};
  cells[3].captions = {fmt::format("r = {:.3f}", digest.likeness.diagonal_pearson)};
  return cells;
}

/// All eigenvectors compared, the network's, then the RFM's (Fig. 15).
std::vector<viz::PanelCell> eigenvector_row(const Digest& digest) {
  std::vector<viz::PanelCell> cells;
  for (const bool network : {true, false}) {
    const Features& features = network ? digest.network : digest.rfm;
    std::vector<viz::PanelCell> own = feature_cells(features.diagonal, features.eigenvectors, digest.shape);
    for (std::size_t i = 1; i < own.size(); ++i) {
      own[i].title = fmt::format("{} v{}", network ? "network" : "RFM", i);
      own[i].captions = {fmt::format("{:.1f} % of trace", 100 * features.shares(static_cast<Index>(i) - 1))};
      if (!network)
        own[i].captions.push_back(fmt::format("|r| = {:.3f}", digest.likeness.top_eigenvector_pearson[i - 1]));
      cells.push_back(std::move(own[i]));
    }
  }
  return cells;
}

/// One row an attribute; the titles above the first only.
Figure draw_rows(const std::vector<Part>& parts, const std::vector<Digest>& digests,
                 std::vector<viz::PanelCell> (*row)(const Digest&), Figure figure, const RunContext& run) {
  viz::Panel panel;
  panel.title = figure.title;
  panel.note =
      "Mean over the colour channels. Each picture has its own linear scale; eigenvectors are signed, 0 is white.";
  panel.color_bars = false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    panel.row_labels.push_back(readable(parts[i]));
    panel.rows.push_back(row(digests[i]));
    if (i == 0) continue;
    for (viz::PanelCell& cell : panel.rows.back()) cell.title.clear();
  }
  viz::draw_panel(panel, run.directory.path() / "images" / figure.file);
  return figure;
}

/// Both likenesses to the RFM over epochs, a curve a task.
Figure draw_evolutions(const std::vector<Part>& parts, const std::vector<Digest>& digests, const RunContext& run) {
  viz::LinePlot diagonals, eigenvectors;
  diagonals.title = "Diagonals", eigenvectors.title = "Top eigenvectors";
  diagonals.y_label = "Pearson r with the RFM's", eigenvectors.y_label = "|Pearson r| with the RFM's";
  for (viz::LinePlot* plot : {&diagonals, &eigenvectors}) plot->x_label = "epoch", plot->y_high = 1;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const FeatureEvolution& evolution = *digests[i].evolution;
    diagonals.series.push_back({readable(parts[i]), evolution.epochs, evolution.with_rfm});
    if (!evolution.top_with_rfm.empty())
      eigenvectors.series.push_back({readable(parts[i]), evolution.epochs, evolution.top_with_rfm});
  }
  std::vector<viz::LinePlot> plots = {diagonals};
  if (!eigenvectors.series.empty()) plots.push_back(eigenvectors);
  viz::draw_lines(plots, run.directory.path() / "images/over_epochs");
  return {"over_epochs", "How the network's features became the RFM's",
          "Likeness of the network's W₁ᵀW₁ to the RFM's feature matrix over epochs, one curve an attribute."};
}

Figure draw_tasks(const std::vector<Part>& parts, const TaskLikeness& likeness, const RunContext& run) {
  std::vector<std::string> tasks;
  for (const Part& part : parts) tasks.push_back(readable(part));
  const auto map = [&](const char* title, const Matrix<double>& values) {
    return viz::HeatMap{title, values, viz::Palette::diverging, tasks, tasks};
  };
  viz::draw_heat_maps(
      {map("r of the diagonals", likeness.diagonals), map("|r| of the top eigenvectors", likeness.top_eigenvectors)},
      run.directory.path() / "images/tasks");
  return {"tasks", "The network's features of each task against the RFM's of each task",
          "r of the network's features of one task (row) with the RFM's of another (column). Off the diagonal only "
          "related tasks are alike."};
}

ExperimentSummary summarize(const std::vector<Part>& parts, const std::vector<Digest>& digests,
                            const std::optional<Control>& control, const RunContext& run) {
  ExperimentSummary summary;
  const TaskLikeness likeness = task_against_task(digests);
  summary.findings = all_findings(parts, digests, control, likeness.diagonals);
  if (!parts.front().options.save.images) return summary;
  summary.figures.push_back(draw_rows(
      parts, digests, main_row,
      {"features", "What network and RFM look at, task by task",
       "Top eigenvectors and diagonals of the network's W₁ᵀW₁ and the RFM's feature matrix, one attribute a row."},
      run));
  summary.figures.push_back(
      draw_rows(parts, digests, eigenvector_row,
                {"eigenvectors", "Leading eigenvectors, task by task",
                 "Leading eigenvectors of both feature matrices with their share of the trace, one attribute a row."},
                run));
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
  const std::optional<Control> control = parse_control(own);
  const FeatureComparisonOptions& options = parts.front().options;
  if (!options.network || !options.rfm || options.rfm->iterations < 1)
    root.fail("",
              "celeba_features compares a network with an RFM that learns: network and rfm (iterations: 1) are needed");
  PartsExperiment<Digest> experiment{
      parts, parse_expectations(root, finding_names(parts, control.has_value())), digest, {}};
  experiment.summarize = [control](const auto& all, const auto& digests, const RunContext& run) {
    return summarize(all, digests, control, run);
  };
  return prepare_parts(common, experiment);
}

}  // namespace ansatz::experiments
