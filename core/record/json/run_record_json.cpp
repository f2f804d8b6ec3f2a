#include "core/record/json/run_record_json.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "core/files/json_lists.h"
#include "core/record/benchmark/benchmark_json.h"
#include "core/record/json/comparison_json.h"
#include "core/record/json/config_json.h"
#include "core/record/json/findings_json.h"
#include "core/record/json/fit_json.h"
#include "core/record/json/models_json.h"
#include "core/record/json/ranking_json.h"
#include "core/record/json/tuning_json.h"

namespace ansatz {
namespace {

constexpr Index kMost = std::numeric_limits<Index>::max();
constexpr Index kLongestSide = 1 << 20;  // of an image: products of three stay within Index

TargetScaling scaling_from_json(const JsonValue& json, Index outputs) {
  const auto column = [&](const char* key) -> Vector<double> {
    Vector<double> values = vector_of(json.at(key));
    if (values.size() != outputs) json.at(key).fail("must have a number an output");
    return values;
  };
  return {column("mean"), column("sd")};
}

ImageShape shape_from_json(const JsonValue& json) {
  const std::vector<JsonValue> sides = json.list();
  if (sides.size() != 3) json.fail("must be a list of channels, height and width");
  return {sides[0].integer(1, kLongestSide), sides[1].integer(1, kLongestSide), sides[2].integer(1, kLongestSide)};
}

void add_comparison(const RunRecord& record, Json& json) {
  json["data"] = to_json(*record.data);
  add_feature_names(*record.data, json);
  json["models"] = models_json(record);
  add_comparisons(record, json);
  for (const auto& [feature, share] : record.subspace_shares) json["subspace_shares"][feature.name()] = share;
  if (record.top_features) json["top_features"] = to_json(*record.top_features);
  if (record.tuning) json["tuning"] = to_json(*record.tuning);
  json["timings"] = timings_json(record);
  if (!record.warnings.empty()) json["warnings"] = record.warnings;
}

void read_comparison(const JsonValue& json, RunRecord& record) {
  record.data = data_from_json(json.at("data"));
  read_feature_names(json, *record.data);
  read_models(json.at("models"), record);
  read_comparisons(json, record);
  if (const std::optional<JsonValue> shares = json.find("subspace_shares"))
    for (const auto& [name, share] : shares->members()) {
      const std::optional<FeatureId> id = FeatureId::named(name);
      if (!id) share.fail("is of no feature matrix of a run");
      record.subspace_shares.emplace_back(*id, share.number());
    }
  if (const std::optional<JsonValue> top = json.find("top_features")) record.top_features = ranking_from_json(*top);
  if (const std::optional<JsonValue> tuning = json.find("tuning")) record.tuning = tuning_from_json(*tuning);
  if (const std::optional<JsonValue> timings = json.find("timings")) read_timings(*timings, record);
  record.warnings = texts_of(json, "warnings");
}

Figure figure_from_json(const JsonValue& json) {
  return {json.at("file").text(), json.at("title").text(), json.at("caption").text(),
          json.has("shows_data") && json.at("shows_data").truth()};
}

}  // namespace

Json figures_json(const std::vector<Figure>& figures) {
  Json json = Json::array();
  for (const Figure& figure : figures) {
    json.push_back({{"file", figure.file}, {"title", figure.title}, {"caption", figure.caption}});
    if (figure.shows_data) json.back()["shows_data"] = true;
  }
  return json;
}

std::vector<Figure> figures_from_json(const JsonValue& metrics) {
  std::vector<Figure> figures;
  for (const JsonValue& figure : list_or_none(metrics, "figures")) figures.push_back(figure_from_json(figure));
  return figures;
}

std::uint64_t seed_from_json(const JsonValue& json) {
  if (!json.json().is_number_unsigned()) json.fail("must be an integer of at least 0");
  return json.json().get<std::uint64_t>();
}

Json to_json(const NamedTexts& texts) {
  Json json = Json::object();
  for (const auto& [name, text] : texts) json[name] = text;
  return json;
}

NamedTexts texts_from_json(const JsonValue& json) {
  NamedTexts texts;
  for (const auto& [name, text] : json.members()) texts.emplace_back(name, text.text());
  return texts;
}

Json to_json(const DataRecord& data) {
  const bool classes = data.task == Task::classification;
  Json json = {
      {"name", data.name},           {"train_size", data.train_size}, {"validation_size", data.validation_size},
      {"test_size", data.test_size}, {"dimension", data.dimension},   {"outputs", data.outputs},
      {"task", task_json(data.task)}};
  if (!data.class_names.empty()) json["class_names"] = data.class_names;
  if (classes) json["class_coding"] = data.class_codes.size() > 0 ? "prevalence" : "one_hot";
  if (data.class_codes.rows() > 0) json["class_codes"] = rows_json(data.class_codes);
  if (data.target_scaling.scales())
    json["target_scaling"] = {{"kind", "standardize"},
                              {"mean", list_json(data.target_scaling.mean)},
                              {"sd", list_json(data.target_scaling.sd)}};
  if (data.image_shape)
    json["image_shape"] = {data.image_shape->channels, data.image_shape->height, data.image_shape->width};
  if (!data.notes.empty()) json["notes"] = data.notes;
  if (data.truth)
    json["truth"] = {{"description", data.truth->description}, {"target_variance", data.truth->target_variance}};
  if (data.constant) json["constant_prediction"] = to_json(*data.constant);
  json["digest"] = to_json(data.digest);
  return json;
}

DataRecord data_from_json(const JsonValue& json) {
  DataRecord data;
  const auto size = [&](const char* key) { return json.at(key).integer(0, kMost); };
  data.name = json.at("name").text();
  data.train_size = size("train_size");
  data.validation_size = size("validation_size");
  data.test_size = size("test_size");
  data.dimension = size("dimension");
  data.outputs = size("outputs");
  data.task = task_from_json(json.at("task"));
  data.class_names = texts_of(json, "class_names");
  if (json.has("class_codes")) data.class_codes = matrix_of(json.at("class_codes"));
  if (const std::optional<JsonValue> scaling = json.find("target_scaling"))
    data.target_scaling = scaling_from_json(*scaling, data.outputs);
  if (json.has("image_shape")) data.image_shape = shape_from_json(json.at("image_shape"));
  data.notes = texts_of(json, "notes");
  if (const std::optional<JsonValue> truth = json.find("truth"))
    data.truth = DataRecord::Truth{truth->at("description").text(), truth->at("target_variance").number()};
  data.constant = find_metrics(json, "constant_prediction");
  if (json.has("digest")) data.digest = texts_from_json(json.at("digest"));
  return data;
}

Json to_json(const RunRecord& record) {
  Json json = {{"schema", 1},
               {"experiment", record.experiment},
               {"name", record.name},
               {"seed", record.seed},
               {"conventions", to_json(record.conventions)}};
  if (record.config) json["config"] = to_json(*record.config);
  if (record.data) add_comparison(record, json);
  if (record.benchmark) json["benchmark"] = to_json(*record.benchmark);
  if (record.benchmark) json["timings"]["benchmark"] = timing_json(*record.benchmark);
  if (record.findings) {
    json["findings"] = to_json(*record.findings);
    json["figures"] = figures_json(record.figures);
    json["parts"] = record.parts;
  }
  return json;
}

RunRecord record_from_json(const JsonValue& json) {
  RunRecord record;
  record.experiment = json.at("experiment").text();
  record.name = json.at("name").text();
  record.seed = seed_from_json(json.at("seed"));
  record.conventions = texts_from_json(json.at("conventions"));
  if (json.has("config")) record.config = config_from_json(json.at("config"));
  if (json.has("models")) read_comparison(json, record);
  if (json.has("benchmark")) record.benchmark = benchmark_from_json(json.at("benchmark"));
  if (record.benchmark && json.has("timings") && json.at("timings").has("benchmark"))
    add_timing(json.at("timings").at("benchmark"), *record.benchmark);
  if (json.has("findings")) record.findings = findings_from_json(json.at("findings"));
  record.figures = figures_from_json(json);
  record.parts = texts_of(json, "parts");
  return record;
}

}  // namespace ansatz
