#include "core/record/json/fit_json.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "core/files/json_lists.h"

namespace ansatz {
namespace {

constexpr std::size_t kListedOutputs = 100;  // of more, a list an epoch would fill the file
constexpr Index kMost = std::numeric_limits<Index>::max();

Index optional_count(const JsonValue& json, const char* key) {
  const std::optional<JsonValue> there = json.find(key);
  return there ? there->integer(0, kMost) : 0;
}

Termination termination_from_json(const JsonValue& solve) {
  if (!solve.has("termination")) return Termination::direct;
  const std::optional<Termination> termination = termination_named(solve.at("termination").text());
  if (!termination) solve.at("termination").fail("is no reason why a solver ends");
  return *termination;
}

}  // namespace

Json to_json(const Metrics& metrics) {
  Json json = Json::object();
  if (metrics.accuracy) json["accuracy"] = *metrics.accuracy;
  if (metrics.cross_entropy) {
    json["cross_entropy"] = *metrics.cross_entropy;
    return json;
  }
  json["mse"] = metrics.mse;
  json["r2"] = metrics.r2;
  if (metrics.standardized_mse) json["standardized_mse"] = *metrics.standardized_mse;
  if (!metrics.r2_by_output.empty() && metrics.r2_by_output.size() <= kListedOutputs)
    json["r2_by_output"] = metrics.r2_by_output;
  return json;
}

Metrics metrics_from_json(const JsonValue& json) {
  Metrics metrics;
  if (json.has("accuracy")) metrics.accuracy = json.at("accuracy").number();
  if (json.has("cross_entropy")) {
    metrics.cross_entropy = json.at("cross_entropy").number();
    metrics.mse = metrics.r2 = std::numeric_limits<double>::quiet_NaN();
    return metrics;
  }
  metrics.mse = json.at("mse").number();
  metrics.r2 = json.at("r2").number();
  if (json.has("standardized_mse")) metrics.standardized_mse = json.at("standardized_mse").number();
  if (json.has("r2_by_output")) metrics.r2_by_output = numbers_of(json.at("r2_by_output"));
  return metrics;
}

std::optional<Metrics> find_metrics(const JsonValue& json, const char* key) {
  const std::optional<JsonValue> there = json.find(key);
  if (!there) return std::nullopt;
  return metrics_from_json(*there);
}

void add_metrics(const SplitMetrics& metrics, Json& json) {
  json["train"] = to_json(metrics.train);
  if (metrics.validation) json["validation"] = to_json(*metrics.validation);
  if (metrics.test) json["test"] = to_json(*metrics.test);
}

SplitMetrics split_metrics_from_json(const JsonValue& json) {
  return {metrics_from_json(json.at("train")), find_metrics(json, "validation"), find_metrics(json, "test")};
}

Json to_json(const SolveSummary& solve) {
  Json json = {{"method", solve.method}, {"jitter", solve.jitter}, {"relative_residual", solve.relative_residual}};
  if (!solve.note.empty()) json["note"] = solve.note;
  if (solve.iterations > 0) {
    json["iterations"] = solve.iterations;
    json["preconditioner_rank"] = solve.preconditioner_rank;
    json["termination"] = name_of(solve.termination);
    json["stopped"] = solve.stopped;
  }
  return json;
}

SolveSummary solve_from_json(const JsonValue& json) {
  SolveSummary solve;
  solve.method = json.at("method").text();
  solve.note = json.text("note", "");
  solve.jitter = json.at("jitter").number();
  solve.relative_residual = json.at("relative_residual").number();
  solve.iterations = optional_count(json, "iterations");
  solve.preconditioner_rank = optional_count(json, "preconditioner_rank");
  solve.termination = termination_from_json(json);
  solve.stopped = json.text("stopped", "");
  return solve;
}

Json timing_json(const SolveSummary& solve) {
  Json json = {
      {"kernel_seconds", solve.kernel_seconds}, {"solve_seconds", solve.seconds}, {"solve_flops", solve.flops}};
  for (const SolveProgress& point : solve.history)
    json["solve_history"].push_back({point.seconds, point.relative_residual, point.validation_mse});
  return json;
}

void add_timing(const JsonValue& json, SolveSummary& solve) {
  solve.kernel_seconds = json.at("kernel_seconds").number();
  solve.seconds = json.at("solve_seconds").number();
  solve.flops = json.at("solve_flops").number();
  const std::optional<JsonValue> history = json.find("solve_history");
  if (!history) return;
  for (const JsonValue& point : history->list()) {
    const std::vector<JsonValue> values = point.list();
    if (values.size() != 3) point.fail("must be a list of three numbers");
    solve.history.push_back({values[0].number(), values[1].number(), values[2].number()});
  }
}

Json to_json(const EpochRecord& record) {
  Json json = {{"epoch", record.epoch}, {"train_loss", record.train_loss}};
  if (record.train) json["train"] = to_json(*record.train);
  if (record.validation) json["validation"] = to_json(*record.validation);
  return json;
}

EpochRecord epoch_from_json(const JsonValue& json) {
  EpochRecord record;
  record.epoch = json.at("epoch").integer(0, kMost);
  record.train_loss = json.at("train_loss").number();
  record.train = find_metrics(json, "train");
  record.validation = find_metrics(json, "validation");
  return record;
}

Json to_json(const RfmIteration& iteration) {
  Json json = {{"iteration", iteration.iteration}};
  add_metrics(iteration, json);
  if (iteration.bandwidth > 0) json["bandwidth"] = iteration.bandwidth;
  json["solve"] = to_json(iteration.solve);
  if (iteration.gradients)
    json["gradients"] = {{"form", iteration.gradients->form}, {"points", iteration.gradients->points}};
  return json;
}

RfmIteration iteration_from_json(const JsonValue& json) {
  RfmIteration it{split_metrics_from_json(json)};
  it.iteration = json.at("iteration").integer(0, kMost);
  it.bandwidth = json.number("bandwidth", 0);
  it.solve = solve_from_json(json.at("solve"));
  if (const std::optional<JsonValue> gradients = json.find("gradients"))
    it.gradients = GradientSummary{gradients->at("form").text(), gradients->at("points").integer(0, kMost)};
  return it;
}

Json timing_json(const RfmIteration& iteration) {
  Json json = timing_json(iteration.solve);
  json["iteration"] = iteration.iteration;
  json["seconds"] = iteration.seconds;
  if (iteration.gradients) {
    json["agop_seconds"] = iteration.gradients->seconds;
    json["agop_flops"] = iteration.gradients->flops;
  }
  return json;
}

void add_timing(const JsonValue& json, RfmIteration& iteration) {
  add_timing(json, iteration.solve);
  iteration.seconds = json.at("seconds").number();
  if (!iteration.gradients) return;
  iteration.gradients->seconds = json.at("agop_seconds").number();
  iteration.gradients->flops = json.at("agop_flops").number();
}

Json state_json(const RfmIteration& iteration) {
  Json json = to_json(iteration);
  json["timing"] = timing_json(iteration);
  return json;
}

RfmIteration iteration_from_state(const JsonValue& json) {
  RfmIteration iteration = iteration_from_json(json);
  add_timing(json.at("timing"), iteration);
  return iteration;
}

}  // namespace ansatz
