#include "core/record/json/comparison_json.h"

#include <nlohmann/json.hpp>

#include "core/files/json_lists.h"

namespace ansatz {
namespace {

FeaturePair pair_from_json(const JsonValue& json) {
  FeaturePair pair{feature_from_json(json.at("a")), feature_from_json(json.at("b")), {}};
  FeatureComparison& c = pair.values;
  c.diagonal_pearson = json.at("diagonal_pearson").number();
  c.diagonal_cosine = json.at("diagonal_cosine").number();
  c.matrix_pearson = json.at("matrix_pearson").number();
  c.cosine = json.at("cosine").number();
  c.off_diagonal_pearson = json.at("off_diagonal_pearson").number();
  c.off_diagonal_cosine = json.at("off_diagonal_cosine").number();
  c.top_eigenvector_pearson = numbers_of(json.at("top_eigenvector_pearson"));
  c.principal_angles_deg = numbers_of(json.at("principal_angles_deg"));
  if (const std::optional<JsonValue> angles = json.find("subspace_angles_deg"))  // runs of earlier builds have none
    c.subspace_angles_deg = numbers_of(*angles);
  c.eigenvalues_a = numbers_of(json.at("eigenvalues_a"));
  c.eigenvalues_b = numbers_of(json.at("eigenvalues_b"));
  c.relative_gaps_a = numbers_of(json.at("relative_gaps_a"));
  c.relative_gaps_b = numbers_of(json.at("relative_gaps_b"));
  return pair;
}

Json to_json(const FeatureEvolution& evolution) {
  Json json = {{"epochs", evolution.epochs},
               {"diagonal_pearson_with_rfm", evolution.with_rfm},
               {"diagonal_pearson_with_initial", evolution.with_initial},
               {"diagonal_pearson_with_truth", evolution.with_truth}};
  if (!evolution.top_with_rfm.empty()) json["top_eigenvector_pearson_with_rfm"] = evolution.top_with_rfm;
  return json;
}

FeatureEvolution evolution_from_json(const JsonValue& json) {
  FeatureEvolution evolution;
  evolution.epochs = numbers_of(json.at("epochs"));
  evolution.with_rfm = numbers_of(json.at("diagonal_pearson_with_rfm"));
  evolution.with_initial = numbers_of(json.at("diagonal_pearson_with_initial"));
  evolution.with_truth = numbers_of(json.at("diagonal_pearson_with_truth"));
  if (const std::optional<JsonValue> top = json.find("top_eigenvector_pearson_with_rfm"))
    evolution.top_with_rfm = numbers_of(*top);
  return evolution;
}

}  // namespace

FeatureId feature_from_json(const JsonValue& name) {
  const std::optional<FeatureId> id = FeatureId::named(name.text());
  if (!id) name.fail("is no feature matrix of a run");
  return *id;
}

Json to_json(const FeatureComparison& c, const std::string& a, const std::string& b) {
  return {{"a", a},
          {"b", b},
          {"diagonal_pearson", c.diagonal_pearson},
          {"diagonal_cosine", c.diagonal_cosine},
          {"matrix_pearson", c.matrix_pearson},
          {"cosine", c.cosine},
          {"off_diagonal_pearson", c.off_diagonal_pearson},
          {"off_diagonal_cosine", c.off_diagonal_cosine},
          {"top_eigenvector_pearson", c.top_eigenvector_pearson},
          {"principal_angles_deg", c.principal_angles_deg},
          {"subspace_angles_deg", c.subspace_angles_deg},
          {"eigenvalues_a", c.eigenvalues_a},
          {"eigenvalues_b", c.eigenvalues_b},
          {"relative_gaps_a", c.relative_gaps_a},
          {"relative_gaps_b", c.relative_gaps_b}};
}

Json to_json(const AnsatzVariant& v) {
  return {{"name", v.name},
          {"label", v.label},
          {"power", v.power},
          {"matrix_pearson", v.similarity.matrix_pearson},
          {"off_diagonal_pearson", v.similarity.off_diagonal_pearson},
          {"cosine", v.similarity.cosine},
          {"diagonal_pearson", v.similarity.diagonal_pearson}};
}

AnsatzVariant variant_from_json(const JsonValue& json) {
  AnsatzVariant v;
  v.name = json.at("name").text();
  v.label = json.at("label").text();
  v.power = json.at("power").number();
  v.similarity.matrix_pearson = json.at("matrix_pearson").number();
  v.similarity.off_diagonal_pearson = json.at("off_diagonal_pearson").number();
  v.similarity.cosine = json.at("cosine").number();
  v.similarity.diagonal_pearson = json.at("diagonal_pearson").number();
  for (AnsatzVariantName& known : ansatz_variant_table()) {
    if (known.name != v.name) continue;
    v.left = known.left;
    v.right = known.right;
    return v;
  }
  json.at("name").fail("is no variant of the ansatz");
}

Json to_json(const LayerVariants& layers) {
  Json json = Json::array();
  for (const std::vector<AnsatzVariant>& layer : layers) {
    Json variants = Json::array();
    for (const AnsatzVariant& variant : layer) variants.push_back(to_json(variant));
    json.push_back(std::move(variants));
  }
  return json;
}

LayerVariants layers_from_json(const JsonValue& json) {
  LayerVariants layers;
  for (const JsonValue& layer : json.list()) {
    layers.emplace_back();
    for (const JsonValue& variant : layer.list()) layers.back().push_back(variant_from_json(variant));
  }
  return layers;
}

void add_comparisons(const RunRecord& record, Json& json) {
  json["comparisons"] = Json::array();
  for (const FeaturePair& pair : record.pairs)
    json["comparisons"].push_back(to_json(pair.values, pair.a.name(), pair.b.name()));
  if (record.has_headline)
    json["headline"] = {{"a", record.pairs.front().a.name()}, {"b", record.pairs.front().b.name()}};
  for (const AnsatzVariant& variant : record.variants) json["ansatz_variants"].push_back(to_json(variant));
  if (!record.variants_by_layer.empty()) json["ansatz_variants_by_layer"] = to_json(record.variants_by_layer);
  if (record.evolution) json["evolution"] = to_json(*record.evolution);
}

void read_comparisons(const JsonValue& json, RunRecord& record) {
  for (const JsonValue& pair : json.at("comparisons").list()) record.pairs.push_back(pair_from_json(pair));
  if (const std::optional<JsonValue> headline = json.find("headline")) {
    record.has_headline = true;
    const FeatureId a = feature_from_json(headline->at("a")), b = feature_from_json(headline->at("b"));
    if (record.pairs.empty() || record.pairs.front().a != a || record.pairs.front().b != b)
      headline->fail("must be the first of the comparisons");
  }
  for (const JsonValue& variant : list_or_none(json, "ansatz_variants"))
    record.variants.push_back(variant_from_json(variant));
  if (const std::optional<JsonValue> layers = json.find("ansatz_variants_by_layer"))
    record.variants_by_layer = layers_from_json(*layers);
  if (const std::optional<JsonValue> evolution = json.find("evolution"))
    record.evolution = evolution_from_json(*evolution);
}

}  // namespace ansatz
