#include "experiments/paper/nfa_over_training.h"

#include <fmt/format.h>

#include <limits>

#include "core/features/ansatz_variants.h"
#include "experiments/parts.h"
#include "experiments/stages/metrics_json.h"
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

/// A list a layer of the variants' {name, label, power, ...}.
template <class Scalar>
Json observe_layers(const nets::Mlp<Scalar>& now, const nets::Mlp<Scalar>& initial, const Matrix<Scalar>& points) {
  Json layers = Json::array();
  for (Index layer = 1; layer <= now.layers(); ++layer) {
    using Summary = MatrixSummary<Scalar>;
    const Matrix<Scalar> weights = now.weight(layer), before = initial.weight(layer);
    const LayerFeatures<Scalar> features{
        Summary(FeatureMatrix<Scalar>::sandwich(weights)), Summary(change_features(weights, before)),
        Summary(FeatureMatrix<Scalar>::sandwich(before)), Summary(now.agop(points, false, layer)),
        Summary(now.agop(points, true, layer))};
    Json variants = Json::array();
    for (const AnsatzVariant& variant : ansatz_variants(features)) variants.push_back(to_json(variant));
    layers.push_back(std::move(variants));
  }
  return {{"layers", std::move(layers)}};
}

template <class Scalar>
NetworkObserver<Scalar> observe(const Part& part, const Split<Scalar>& split, const RunContext& run) {
  const NetworkOptions& network = *part.options.network;
  return {
      [epochs = snapshot_epochs(network.training.epochs, network.snapshots)](const nets::EpochRecord& record) {
        return epochs.count(record.epoch) > 0;
      },
      [points = gradient_points(network, split, run)](const nets::Mlp<Scalar>& now, const nets::Mlp<Scalar>& initial) {
        return observe_layers(now, initial, points);
      }};
}

/// The variants of a layer.
std::vector<JsonValue> layer_at(const Observation& observation, Index layer) {
  const std::vector<JsonValue> layers = observation.seen.at("layers").list();
  if (static_cast<std::size_t>(layer) > layers.size()) observation.seen.fail("has too few layers");
  return layers[static_cast<std::size_t>(layer - 1)].list();
}

void add_findings(const Part& part, const Observation& last, std::vector<Finding>& findings) {
  for (Index layer = 1; layer <= layers_of(part); ++layer)
    for (const JsonValue& variant : layer_at(last, layer)) {
      const std::string name = variant.at("name").text();
      const std::string meaning = fmt::format("{}, layer {}: {}", part.name, layer, variant.at("label").text());
      findings.push_back({quantity(part, layer, name), "r of " + meaning, variant.at("matrix_pearson").number()});
      if (is_fitted(name))
        findings.push_back(
            {quantity(part, layer, name + "_power"), "fitted power of " + meaning, variant.at("power").number()});
    }
}

const char* left_side(bool change) { return change ? "(W−W₀)ᵀ(W−W₀)" : "WᵀW"; }

AnsatzVariantName variant_named(const JsonValue& name) {
  for (AnsatzVariantName& variant : ansatz_variant_table())
    if (variant.name == name.text()) return variant;
  name.fail("is no variant of the ansatz");
}

/// r by epoch of the variants whose left side is WᵀW, or (W−W₀)ᵀ(W−W₀).
viz::LinePlot layer_plot(const std::vector<Observation>& observations, Index layer, bool change) {
  viz::LinePlot plot;
  plot.title = fmt::format("Layer {}", layer);
  plot.x_label = "epoch";
  plot.y_label = fmt::format("r of {} with", left_side(change));
  plot.y_high = 1.03;
  const std::vector<JsonValue> variants = layer_at(observations.front(), layer);
  for (std::size_t v = 0; v < variants.size(); ++v) {
    const AnsatzVariantName variant = variant_named(variants[v].at("name"));
    if ((variant.left != "WᵀW") != change) continue;
    viz::Series series;
    series.label = variant.right;
    for (const Observation& observation : observations) {
      series.x.push_back(static_cast<double>(observation.epoch));
      series.y.push_back(layer_at(observation, layer).at(v).at("matrix_pearson").number());
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

template <class Scalar>
PartsSummary summarize(const std::vector<Part>& parts, const AllResults<Scalar>& results, const RunContext& run) {
  PartsSummary summary;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::vector<Observation>& observations = results[i]->network->observations;
    add_findings(parts[i], observations.back(), summary.findings);
    if (!parts[i].options.save.images) continue;
    for (const bool change : {false, true}) summary.figures.push_back(draw(parts[i], observations, change, run));
  }
  return summary;
}

}  // namespace

PreparedExperiment prepare_nfa_over_training(const Config& root, const CommonOptions& common) {
  std::vector<Part> parts = parse_parts(root, common);
  for (const Part& part : parts)
    if (!part.options.network || !part.options.network->train || part.options.network->snapshots < 1)
      root.fail("parts", "experiment nfa_over_training trains a network and needs network.snapshots of at least 1");
  const Expectations expectations = parse_expectations(root, finding_names(parts));
  return prepare_parts(common, std::move(parts), expectations, {summarize<float>, summarize<double>},
                       {observe<float>, observe<double>});
}

}  // namespace ansatz::experiments
