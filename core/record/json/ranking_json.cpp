#include "core/record/json/ranking_json.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "core/files/json_lists.h"
#include "core/record/json/comparison_json.h"

namespace ansatz {
namespace {

constexpr Index kMost = std::numeric_limits<Index>::max();

Json list_json(const std::vector<RankedFeature>& features) {
  Json list = Json::array();
  for (const RankedFeature& feature : features)
    list.push_back(
        {{"name", feature.name}, {"first", feature.first}, {"shares", feature.shares}, {"ranks", feature.ranks}});
  return list;
}

std::vector<RankedFeature> list_from_json(const JsonValue& list, std::size_t matrices) {
  std::vector<RankedFeature> features;
  for (const JsonValue& json : list.list()) {
    RankedFeature feature{
        json.at("name").text(), json.at("first").integer(0, kMost), numbers_of(json.at("shares")), {}};
    for (const JsonValue& rank : json.at("ranks").list()) feature.ranks.push_back(rank.integer(1, kMost));
    if (feature.shares.size() != matrices || feature.ranks.size() != matrices)
      json.fail("must have a share and a rank for each of the matrices");
    features.push_back(std::move(feature));
  }
  return features;
}

Json eigenvectors_json(const std::vector<RankedEigenvector>& eigenvectors) {
  Json list = Json::array();
  for (const RankedEigenvector& vector : eigenvectors) {
    list.push_back({{"number", vector.number}, {"shares", vector.shares}, {"features", Json::array()}});
    for (const LoadedFeature& feature : vector.features)
      list.back()["features"].push_back(
          {{"name", feature.name}, {"first", feature.first}, {"loadings", feature.loadings}});
  }
  return list;
}

std::vector<RankedEigenvector> eigenvectors_from_json(const JsonValue& list, std::size_t matrices) {
  std::vector<RankedEigenvector> eigenvectors;
  for (const JsonValue& json : list.list()) {
    RankedEigenvector vector{json.at("number").integer(1, kMost), numbers_of(json.at("shares")), {}};
    if (vector.shares.size() != matrices) json.at("shares").fail("must be one for each of the matrices");
    for (const JsonValue& feature : json.at("features").list()) {
      vector.features.push_back(
          {feature.at("name").text(), feature.at("first").integer(0, kMost), numbers_of(feature.at("loadings"))});
      if (vector.features.back().loadings.size() != matrices)
        feature.at("loadings").fail("must be one for each of the matrices");
    }
    eigenvectors.push_back(std::move(vector));
  }
  return eigenvectors;
}

}  // namespace

void add_feature_names(const DataRecord& data, Json& json) {
  if (!data.feature_names.empty() && data.feature_names.size() <= kMostNames)
    json["feature_names"] = data.feature_names;
}

void read_feature_names(const JsonValue& json, DataRecord& data) {
  data.feature_names = texts_of(json, "feature_names");
  if (!data.feature_names.empty() && static_cast<Index>(data.feature_names.size()) != data.dimension)
    json.at("feature_names").fail("must be as many as data.dimension");
}

Json to_json(const FeatureRanking& ranking) {
  Json json = {{"matrices", Json::array()}, {"by_feature", list_json(ranking.by_feature)}};
  for (const FeatureId& id : ranking.matrices) json["matrices"].push_back(id.name());
  if (!ranking.by_column.empty()) json["by_column"] = list_json(ranking.by_column);
  if (!ranking.eigenvectors.empty()) json["eigenvectors"] = eigenvectors_json(ranking.eigenvectors);
  return json;
}

FeatureRanking ranking_from_json(const JsonValue& json) {
  FeatureRanking ranking;
  for (const JsonValue& name : json.at("matrices").list()) ranking.matrices.push_back(feature_from_json(name));
  ranking.by_feature = list_from_json(json.at("by_feature"), ranking.matrices.size());
  if (const std::optional<JsonValue> columns = json.find("by_column"))
    ranking.by_column = list_from_json(*columns, ranking.matrices.size());
  if (const std::optional<JsonValue> vectors = json.find("eigenvectors"))
    ranking.eigenvectors = eigenvectors_from_json(*vectors, ranking.matrices.size());
  return ranking;
}

}  // namespace ansatz
