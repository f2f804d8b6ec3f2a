// The Neural Feature Ansatz over training: W'W of every layer beside powers of the gradient outer product with respect
// to that layer's input (paper, equation of Section 2, and its later variants).
//
// Each part trains a network on any data set with any optimiser. At the epochs of network.snapshots every variant of
// core/features/ansatz_variants.h is measured for every layer, over network.gradient_samples points. Findings: r of
// all entries at the last epoch, by part, layer and variant, and the fitted powers. Figures: r by epoch. The last
// layer is linear in its input: its AGOP is W'W itself, its centred AGOP 0 (r undefined).
#include <fmt/format.h>

#include "experiments/parts.h"
#include "viz/plots/figures.h"

namespace ansatz::experiments {
namespace {

std::string quantity(const Part& part, Index layer, const std::string& variant) {
  return fmt::format("{}.layer{}.{}", part.name, layer, variant);
}

Index layers_of(const Part& part) {
  return static_cast<Index>(part.options.network->architecture.hidden_layers.size()) + 1;
}

bool is_fitted(const std::string& variant) { return variant.find("_fitted") != std::string::npos; }

std::vector<std::string> finding_names(const std::vector<Part>& parts) {
  std::vector<std::string> names;
  for (const Part& part : parts)
    for (Index layer = 1; layer <= layers_of(part); ++layer)
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

void add_findings(const Part& part, const Observation& last, std::vector<Finding>& findings) {
  for (Index layer = 1; layer <= layers_of(part); ++layer)
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
  for (Index layer = 1; layer <= layers_of(part); ++layer) plots.push_back(layer_plot(observations, layer, change));
  const std::string file = fmt::format("ansatz_{}_{}", part.name, change ? "dw" : "w");
  viz::draw_lines(plots, run.directory.path() / "images" / file);
  const char* const left = left_side(change);
  return {
      file, fmt::format("{}: {} and gradient outer products over training", part.name, left),
      fmt::format("{}: Pearson r over all entries of {} of each layer with powers of the gradient outer product of the "
                  "network as a function of that layer's input.",
                  part.name, left)};
}

ExperimentSummary summarize(const std::vector<Part>& parts, const std::vector<RunRecord>& records,
                            const RunContext& run) {
  ExperimentSummary summary;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::vector<Observation>& observations = records[i].network->observations;
    add_findings(parts[i], observations.back(), summary.findings);
    if (!parts[i].options.save.images) continue;
    for (const bool change : {false, true}) summary.figures.push_back(draw(parts[i], observations, change, run));
  }
  return summary;
}

}  // namespace

PreparedExperiment prepare_nfa_over_training(const Config& root, const CommonOptions& common) {
  std::vector<Part> parts = parse_parts(root, common);
  for (Part& part : parts) {
    if (!part.options.network || !part.options.network->train || part.options.network->snapshots < 1)
      root.fail("parts", "experiment nfa_over_training trains a network and needs network.snapshots of at least 1");
    part.options.network->observed = Observed::ansatz_by_layer;
  }
  return prepare_parts<RunRecord>(common,
                                  {parts, parse_expectations(root, finding_names(parts)), whole_record, summarize});
}

}  // namespace ansatz::experiments
