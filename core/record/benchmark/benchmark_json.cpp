#include "core/record/benchmark/benchmark_json.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/files/json_lists.h"

namespace ansatz {
namespace {

constexpr Index kMost = std::numeric_limits<Index>::max();
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

void add_text(const char* key, const std::string& text, Json& json) {
  if (!text.empty()) json[key] = text;
}

Json to_json(const BenchmarkScore& score) {
  Json json = Json::object();
  if (!std::isnan(score.accuracy)) json["accuracy"] = score.accuracy;
  if (!std::isnan(score.mse)) json["mse"] = score.mse;
  if (!std::isnan(score.r2)) json["r2"] = score.r2;
  return json;
}

BenchmarkScore score_from_json(const JsonValue& json) {
  return {json.number("accuracy", kUnknown), json.number("mse", kUnknown), json.number("r2", kUnknown)};
}

Json to_json(const LearnedFeatures& features) {
  return {{"learned_from", features.learned_from},
          {"trace", features.trace},
          {"diagonal", list_json(features.diagonal)},
          {"eigenvalues", list_json(features.eigenvalues)},
          {"eigenvectors", rows_json(features.eigenvectors)}};
}

LearnedFeatures features_from_json(const JsonValue& json, Index dimension) {
  LearnedFeatures features{json.at("learned_from").text(), json.at("trace").number(), vector_of(json.at("diagonal")),
                           vector_of(json.at("eigenvalues")), matrix_of(json.at("eigenvectors"))};
  if (features.diagonal.size() != dimension) json.at("diagonal").fail("must have an entry for each input of the set");
  if (features.eigenvectors.rows() != features.eigenvalues.size() ||
      (features.eigenvectors.rows() > 0 && features.eigenvectors.cols() != dimension))
    json.at("eigenvectors").fail("must be one for each of the eigenvalues, with an entry for each input of the set");
  return features;
}

Json to_json(const MethodOnSet& result, Index dimension) {
  Json json = {{"method", result.method}};
  add_text("failure", result.failure, json);
  for (const auto& [key, value] : result.choice) json["choice"][key] = value;
  if (result.trials > 0) json["trials"] = result.trials;
  if (result.validation) json["validation"] = to_json(*result.validation);
  for (const BenchmarkScore& fold : result.folds) json["folds"].push_back(to_json(fold));
  if (result.features && dimension <= kMostNamedInputs) json["features"] = to_json(*result.features);
  return json;
}

MethodOnSet result_from_json(const JsonValue& json, Index dimension) {
  MethodOnSet result;
  result.method = json.at("method").text();
  result.failure = json.text("failure", "");
  if (const std::optional<JsonValue> choice = json.find("choice"))
    for (const auto& [key, value] : choice->members()) result.choice.emplace_back(key, value.text());
  if (json.has("trials")) result.trials = json.at("trials").integer(0, kMost);
  if (json.has("validation")) result.validation = score_from_json(json.at("validation"));
  for (const JsonValue& fold : list_or_none(json, "folds")) result.folds.push_back(score_from_json(fold));
  if (json.has("features")) result.features = features_from_json(json.at("features"), dimension);
  return result;
}

Json to_json(const ColumnGroup& group) {
  return {{"name", group.name}, {"first", group.first}, {"width", group.width}, {"one_hot", group.one_hot}};
}

std::vector<ColumnGroup> groups_from_json(const JsonValue& json, Index dimension) {
  std::vector<ColumnGroup> groups;
  Index next = 0;
  for (const JsonValue& group : json.list()) {
    if (group.at("first").integer(0, dimension) != next) group.at("first").fail("must be where the one before it ends");
    const Index width = group.at("width").integer(1, dimension - next);
    groups.push_back({group.at("name").text(), next, width, group.at("one_hot").truth()});
    next += width;
  }
  if (next != dimension) json.fail("must hold all inputs of the set");
  return groups;
}

Json to_json(const BenchmarkSet& set) {
  Json json = {{"name", set.name}};
  add_text("failure", set.failure, json);
  json.update({{"rows", set.rows}, {"dimension", set.dimension}, {"outputs", set.outputs}});
  json["task"] = task_json(set.task);
  if (!set.notes.empty()) json["notes"] = set.notes;
  const bool named = set.dimension <= kMostNamedInputs;
  if (named && !set.feature_names.empty()) json["feature_names"] = set.feature_names;
  if (named)
    for (const ColumnGroup& group : set.column_groups) json["columns"].push_back(to_json(group));
  json["results"] = Json::array();
  for (const MethodOnSet& result : set.results) json["results"].push_back(to_json(result, set.dimension));
  return json;
}

BenchmarkSet set_from_json(const JsonValue& json) {
  BenchmarkSet set;
  set.name = json.at("name").text();
  set.failure = json.text("failure", "");
  set.rows = json.at("rows").integer(0, kMost);
  set.dimension = json.at("dimension").integer(0, kMost);
  set.outputs = json.at("outputs").integer(0, kMost);
  set.task = task_from_json(json.at("task"));
  set.notes = texts_of(json, "notes");
  set.feature_names = texts_of(json, "feature_names");
  if (!set.feature_names.empty() && static_cast<Index>(set.feature_names.size()) != set.dimension)
    json.at("feature_names").fail("must be as many as the inputs of the set");
  if (json.has("columns")) set.column_groups = groups_from_json(json.at("columns"), set.dimension);
  for (const JsonValue& result : json.at("results").list())
    set.results.push_back(result_from_json(result, set.dimension));
  return set;
}

Json to_json(const PublishedScores& published) {
  return {{"source", published.source},
          {"methods", published.table.methods},
          {"sets", published.table.sets},
          {"scores", rows_json(published.table.scores)}};
}

PublishedScores published_from_json(const JsonValue& json) {
  PublishedScores published{json.at("source").text(),
                            {texts_of(json, "sets"), texts_of(json, "methods"), matrix_of(json.at("scores"))}};
  const ScoreTable& table = published.table;
  if (table.scores.rows() != static_cast<Index>(table.sets.size()) ||
      (table.scores.rows() > 0 && table.scores.cols() != static_cast<Index>(table.methods.size())))
    json.at("scores").fail("must be a row for each of the sets, with a number for each of the methods");
  return published;
}

}  // namespace

Json task_json(Task task) { return task == Task::classification ? "classification" : "regression"; }

Task task_from_json(const JsonValue& json) {
  for (const Task task : {Task::classification, Task::regression})
    if (json.text() == task_json(task)) return task;
  json.fail("must be classification or regression");
}

Json to_json(const BenchmarkRecord& benchmark) {
  Json json = {{"collection", benchmark.collection}};
  add_text("baseline", benchmark.baseline, json);
  json["methods"] = Json::array();
  for (const BenchmarkMethod& method : benchmark.methods) {
    Json row = {{"label", method.label}, {"kind", method.kind}};
    add_text("protocol", method.protocol, row);
    add_text("summary", method.summary, row);
    json["methods"].push_back(std::move(row));
  }
  json["sets"] = Json::array();
  for (const BenchmarkSet& set : benchmark.sets) json["sets"].push_back(to_json(set));
  for (const PublishedScores& published : benchmark.published) json["published"].push_back(to_json(published));
  return json;
}

BenchmarkRecord benchmark_from_json(const JsonValue& json) {
  BenchmarkRecord benchmark;
  benchmark.collection = json.at("collection").text();
  benchmark.baseline = json.text("baseline", "");
  for (const JsonValue& method : json.at("methods").list())
    benchmark.methods.push_back(
        {method.at("label").text(), method.at("kind").text(), method.text("protocol", ""), method.text("summary", "")});
  for (const JsonValue& set : json.at("sets").list()) {
    benchmark.sets.push_back(set_from_json(set));
    for (const MethodOnSet& result : benchmark.sets.back().results)
      if (!benchmark.find(result.method)) set.at("results").fail("must be of methods that the benchmark lists");
  }
  for (const JsonValue& published : list_or_none(json, "published"))
    benchmark.published.push_back(published_from_json(published));
  return benchmark;
}

Json timing_json(const BenchmarkRecord& benchmark) {
  Json json = Json::object();
  for (const BenchmarkSet& set : benchmark.sets) {
    json[set.name] = {{"seconds", set.seconds}, {"methods", Json::object()}};
    for (const MethodOnSet& result : set.results)
      json[set.name]["methods"][result.method] = {result.search_seconds, result.fit_seconds};
  }
  return json;
}

void add_timing(const JsonValue& json, BenchmarkRecord& benchmark) {
  for (BenchmarkSet& set : benchmark.sets) {
    const std::optional<JsonValue> timed = json.find(set.name);
    if (!timed) continue;
    set.seconds = timed->number("seconds", 0);
    for (MethodOnSet& result : set.results) {
      const std::optional<JsonValue> methods = timed->find("methods");
      const std::optional<JsonValue> method = methods ? methods->find(result.method) : std::nullopt;
      if (!method) continue;
      const std::vector<double> seconds = numbers_of(*method);
      if (seconds.size() != 2) method->fail("must be the seconds of the search and of the fits");
      result.search_seconds = seconds[0];
      result.fit_seconds = seconds[1];
    }
  }
}

}  // namespace ansatz
