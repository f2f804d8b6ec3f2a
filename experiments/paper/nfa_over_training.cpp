// The Neural Feature Ansatz over training: W'W of every layer beside powers of the gradient outer product with respect
// to that layer's input (paper, equation of Section 2, and its later variants).
//
// Each part trains a network on any data set with any optimiser. At the epochs of network.snapshots every variant of
// core/features/ansatz_variants.h is measured for every layer, over network.gradient_samples points. Findings: r of
// all entries at the last epoch, by part, layer and variant, and the fitted powers. Figures: r by epoch. A part may
// also be a network trained elsewhere, which has one moment only: its figure has a bar a variant. The last layer is
// linear in its input: its AGOP is W'W itself, its centred AGOP 0 (r undefined).
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "experiments/parts.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {
namespace {

std::string quantity(const Part& part, Index layer, const std::string& variant) {
  return fmt::format("{}.layer{}.{}", part.name, layer, variant);
}

bool is_imported(const Part& part) { return !part.options.network->train; }

/// How many layers findings may have names for. How many an imported network has, only its file says.
Index named_layers(const Part& part) {
  constexpr Index kDeepestNamed = 64;
  return is_imported(part) ? kDeepestNamed
                           : static_cast<Index>(part.options.network->architecture.hidden_layers.size()) + 1;
}

bool is_fitted(const std::string& variant) { return variant.find("_fitted") != std::string::npos; }

std::vector<std::string> finding_names(const std::vector<Part>& parts) {
  std::vector<std::string> names;
  for (const Part& part : parts)
    for (Index layer = 1; layer <= named_layers(part); ++layer)
      for (const AnsatzVariantName& variant : ansatz_variant_table()) {
        names.push_back(quantity(part, layer, variant.name));
        if (is_fitted(variant.name)) names.push_back(quantity(part, layer, variant.name + "_power"));
      }
  return names;
}

/// The variants of a layer.
const std::vector<AnsatzVariant>& layer_at(const Observation& observation, Index layer) {
  return std::get<LayerVariants>(observation.seen).at(static_cast<std::size_t>(layer - 1));
}

Index layers_of(const Observation& observation) {
  return static_cast<Index>(std::get<LayerVariants>(observation.seen).size());
}

/// What was seen while the network trained; of an imported one what it is now.
std::vector<Observation> observations_of(const Part& part, const RunRecord& record) {
  if (!is_imported(part)) return record.network->observations;
  return {{0, record.variants_by_layer.empty() ? LayerVariants{record.variants} : record.variants_by_layer}};
}

void add_findings(const Part& part, const Observation& last, std::vector<Finding>& findings) {
  for (Index layer = 1; layer <= layers_of(last); ++layer)
    for (const AnsatzVariant& variant : layer_at(last, layer)) {
      const std::string name = quantity(part, layer, variant.name);
      const std::string meaning = fmt::format("{}, layer {}: {}", part.name, layer, variant.label);
      findings.push_back({name, "r of " + meaning, variant.similarity.matrix_pearson});
      if (is_fitted(variant.name)) findings.push_back({name + "_power", "fitted power of " + meaning, variant.power});
    }
}

const char* left_side(bool change) { return change ? "(W−W₀)ᵀ(W−W₀)" : "WᵀW"; }

/// r by epoch of the variants whose left side is WᵀW, or (W−W₀)ᵀ(W−W₀).
viz::LinePlot layer_plot(const std::vector<Observation>& observations, Index layer, bool change) {
  viz::LinePlot plot;
  plot.title = fmt::format("Layer {}", layer);
  plot.x_label = "epoch";
  plot.y_label = fmt::format("r of {} with", left_side(change));
  plot.y_high = 1.03;
  const std::vector<AnsatzVariant>& variants = layer_at(observations.front(), layer);
  for (std::size_t v = 0; v < variants.size(); ++v) {
    const AnsatzVariant& variant = variants[v];
    if ((variant.left != "WᵀW") != change) continue;
    viz::Series series;
    series.label = variant.right;
    for (const Observation& observation : observations) {
      series.x.push_back(static_cast<double>(observation.epoch));
      series.y.push_back(layer_at(observation, layer).at(v).similarity.matrix_pearson);
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

Figure draw(const Part& part, const std::vector<Observation>& observations, bool change, const RunContext& run) {
  std::vector<viz::LinePlot> plots;
  for (Index layer = 1; layer <= layers_of(observations.front()); ++layer)
    plots.push_back(layer_plot(observations, layer, change));
  const std::string file = fmt::format("ansatz_{}_{}", part.name, change ? "dw" : "w");
  viz::draw_lines(plots, run.directory.path() / "images" / file);
  const char* const left = left_side(change);
  return {
      file, fmt::format("{}: {} and gradient outer products over training", part.name, left),
      fmt::format("{}: Pearson r over all entries of {} of each layer with powers of the gradient outer product of the "
                  "network as a function of that layer's input.",
                  part.name, left)};
}

/// r of that variant of a layer; NaN where it has none (it takes too many eigenpairs, or W₀ is not known).
double similarity_of(const Observation& observation, Index layer, const std::string& variant) {
  for (const AnsatzVariant& found : layer_at(observation, layer))
    if (found.name == variant) return found.similarity.matrix_pearson;
  return std::numeric_limits<double>::quiet_NaN();
}

/// Of one moment: a group of bars a variant, a colour a layer.
Figure draw_bars(const Part& part, const Observation& observation, bool change, const RunContext& run) {
  const char* const left = left_side(change);
  viz::BarPlot plot{fmt::format("{} and gradient outer products", left), "", "r", {}, {}};
  for (Index layer = 1; layer <= layers_of(observation); ++layer) {
    plot.series.emplace_back();
    plot.series.back().label = fmt::format("layer {}", layer);
  }
  for (const AnsatzVariantName& variant : ansatz_variant_table()) {
    if ((variant.left != "WᵀW") != change) continue;
    plot.categories.push_back(variant.right);
    for (Index layer = 1; layer <= layers_of(observation); ++layer)
      plot.series[static_cast<std::size_t>(layer - 1)].y.push_back(similarity_of(observation, layer, variant.name));
  }
  const std::string file = fmt::format("ansatz_{}_{}", part.name, change ? "dw" : "w");
  viz::draw_bars({plot}, run.directory.path() / "images" / file);
  return {file, fmt::format("{}: {} and gradient outer products", part.name, left),
          fmt::format("{}, a network trained elsewhere: Pearson r over all entries of {} of each layer with powers of "
                      "the gradient outer product of the network as a function of that layer's input.",
                      part.name, left)};
}

/// The figures of one part: of what training changed only where W₀ is known.
std::vector<Figure> draw_part(const Part& part, const std::vector<Observation>& observations, const RunContext& run) {
  std::vector<Figure> figures;
  for (const bool change : {false, true}) {
    const std::vector<AnsatzVariant>& first = layer_at(observations.back(), 1);
    const auto shown = [&](const AnsatzVariant& variant) { return (variant.left != "WᵀW") == change; };
    if (std::none_of(first.begin(), first.end(), shown)) continue;
    figures.push_back(is_imported(part) ? draw_bars(part, observations.back(), change, run)
                                        : draw(part, observations, change, run));
  }
  return figures;
}

ExperimentSummary summarize(const std::vector<Part>& parts, const std::vector<RunRecord>& records,
                            const RunContext& run) {
  ExperimentSummary summary;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::vector<Observation> observations = observations_of(parts[i], records[i]);
    add_findings(parts[i], observations.back(), summary.findings);
    if (!parts[i].options.save.images) continue;
    for (Figure& figure : draw_part(parts[i], observations, run)) summary.figures.push_back(std::move(figure));
  }
  return summary;
}

}  // namespace

PreparedExperiment prepare_nfa_over_training(const Config& root, const CommonOptions& common) {
  std::vector<Part> parts = parse_parts(root, common);
  for (Part& part : parts) {
    if (!part.options.network) root.fail("parts", "experiment nfa_over_training is about networks: network is needed");
    if (is_imported(part)) {
      part.options.network->layers = ComparedLayers::all;
      continue;
    }
    if (part.options.network->snapshots < 1)
      root.fail("parts",
                "experiment nfa_over_training needs network.snapshots of at least 1 where a network is trained");
    part.options.network->observed = Observed::ansatz_by_layer;
  }
  return prepare_parts<RunRecord>(common,
                                  {parts, parse_expectations(root, finding_names(parts)), whole_record, summarize});
}

}  // namespace ansatz::experiments
