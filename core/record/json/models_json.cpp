#include "core/record/json/models_json.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/files/json_lists.h"
#include "core/record/json/comparison_json.h"
#include "core/record/json/fit_json.h"
#include "core/record/json/tuning_json.h"

namespace ansatz {
namespace {

constexpr Index kMost = std::numeric_limits<Index>::max();

Json to_json(const RegionShare& share) { return {{"region", share.region}, {"largest_other", share.largest_other}}; }

RegionShare share_from_json(const std::optional<JsonValue>& json) {
  if (!json) return {};
  return {json->at("region").number(), json->at("largest_other").number()};
}

Json to_json(const Generalization& seen) {
  return {{"test", to_json(seen.test)},
          {"train_balanced_accuracy", seen.train_balanced_accuracy},
          {"weights_share", to_json(seen.weights)},
          {"learned_share", to_json(seen.learned)}};
}

/// A run of before there were shares has the test metrics alone.
Generalization generalization_from_json(const JsonValue& json) {
  Generalization seen;
  seen.test = metrics_from_json(json.at("test"));
  seen.train_balanced_accuracy = json.number("train_balanced_accuracy", seen.train_balanced_accuracy);
  seen.weights = share_from_json(json.find("weights_share"));
  seen.learned = share_from_json(json.find("learned_share"));
  return seen;
}

Json to_json(const NetworkRecord& network) {
  Json json = {{"description", network.description}};
  if (!network.reading.empty()) json["read_as"] = network.reading;
  if (network.reported_epoch) json["reported_epoch"] = *network.reported_epoch;
  add_metrics(network.metrics, json);
  for (const EpochRecord& record : network.epochs) json["per_epoch"].push_back(to_json(record));
  for (const Observation& observation : network.observations)
    json["observations"].push_back({{"epoch", observation.epoch}, {"seen", to_json(observation.seen)}});
  return json;
}

NetworkRecord network_from_json(const JsonValue& json) {
  NetworkRecord network;
  network.description = json.text("description", "");
  network.reading = json.text("read_as", "");
  if (json.has("reported_epoch")) network.reported_epoch = json.at("reported_epoch").integer(0, kMost);
  network.metrics = split_metrics_from_json(json);
  for (const JsonValue& epoch : list_or_none(json, "per_epoch")) network.epochs.push_back(epoch_from_json(epoch));
  for (const JsonValue& observation : list_or_none(json, "observations"))
    network.observations.push_back({observation.at("epoch").integer(0, kMost), seen_from_json(observation.at("seen"))});
  return network;
}

Json to_json(const RfmRecord& rfm) {
  Json json = {{"description", rfm.description},
               {"reported_iteration", rfm.reported},
               {"feature_iteration", rfm.feature_iteration}};
  add_metrics(rfm.reported_iteration(), json);
  for (const RfmIteration& iteration : rfm.iterations) json["per_iteration"].push_back(to_json(iteration));
  return json;
}

RfmRecord rfm_from_json(const JsonValue& json) {
  RfmRecord rfm;
  rfm.description = json.text("description", "");
  for (const JsonValue& iteration : json.at("per_iteration").list())
    rfm.iterations.push_back(iteration_from_json(iteration));
  const auto last = static_cast<Index>(rfm.iterations.size()) - 1;
  if (last < 0) json.at("per_iteration").fail("must hold an iteration");
  split_metrics_from_json(json);  // whole, though they are the reported iteration's
  rfm.reported = json.at("reported_iteration").integer(0, last);
  rfm.feature_iteration = json.at("feature_iteration").integer(0, last);
  return rfm;
}

Json to_json(const KernelMachineRecord& machine) {
  Json json = {{"description", machine.description}};
  add_metrics(machine.metrics, json);
  json["solve"] = to_json(machine.solve);
  return json;
}

KernelMachineRecord machine_from_json(const std::string& label, const JsonValue& json) {
  return {label, json.text("description", ""), split_metrics_from_json(json), solve_from_json(json.at("solve"))};
}

}  // namespace

Json state_json(const KernelMachineRecord& machine) {
  Json json = to_json(machine);
  json["timing"] = timing_json(machine.solve);
  return json;
}

KernelMachineRecord machine_from_state(const std::string& label, const JsonValue& json) {
  KernelMachineRecord machine = machine_from_json(label, json);
  add_timing(json.at("timing"), machine.solve);
  return machine;
}

Json to_json(const Seen& seen) {
  if (const auto* generalization = std::get_if<Generalization>(&seen)) return to_json(*generalization);
  return {{"layers", to_json(std::get<LayerVariants>(seen))}};
}

Seen seen_from_json(const JsonValue& json) {
  if (json.has("test")) return generalization_from_json(json);
  return layers_from_json(json.at("layers"));
}

Json models_json(const RunRecord& record) {
  Json models = Json::object();
  if (record.network) models["network"] = to_json(*record.network);
  if (record.rfm) models["rfm"] = to_json(*record.rfm);
  for (const KernelMachineRecord& machine : record.kernel_machines) models[machine.label] = to_json(machine);
  return models;
}

void read_models(const JsonValue& models, RunRecord& record) {
  for (const auto& [name, model] : models.members()) {
    if (name == "network") {
      record.network = network_from_json(model);
    } else if (name == "rfm") {
      record.rfm = rfm_from_json(model);
    } else {
      record.kernel_machines.push_back(machine_from_json(name, model));
    }
  }
}

Json timings_json(const RunRecord& record) {
  Json json = Json::object();
  if (record.network) {
    json["network_training_seconds"] = record.network->train_seconds;
    json["network_agop_seconds"] = record.network->agop_seconds;
  }
  if (record.rfm)
    for (const RfmIteration& iteration : record.rfm->iterations) json["rfm"].push_back(timing_json(iteration));
  for (const KernelMachineRecord& machine : record.kernel_machines)
    json["kernel_machines"][machine.label] = timing_json(machine.solve);
  if (record.tuning) json["tuning"] = timing_json(*record.tuning);
  json["comparison_seconds"] = record.comparison_seconds;
  return json;
}

void read_timings(const JsonValue& timings, RunRecord& record) {
  if (record.network) {
    record.network->train_seconds = timings.number("network_training_seconds", 0);
    record.network->agop_seconds = timings.number("network_agop_seconds", 0);
  }
  const std::vector<JsonValue> iterations = list_or_none(timings, "rfm");
  for (std::size_t t = 0; record.rfm && t < std::min(iterations.size(), record.rfm->iterations.size()); ++t)
    add_timing(iterations[t], record.rfm->iterations[t]);
  if (const std::optional<JsonValue> machines = timings.find("kernel_machines"))
    for (KernelMachineRecord& machine : record.kernel_machines)
      if (machines->has(machine.label)) add_timing(machines->at(machine.label), machine.solve);
  if (record.tuning && timings.has("tuning")) add_timing(timings.at("tuning"), *record.tuning);
  record.comparison_seconds = timings.number("comparison_seconds", 0);
}

}  // namespace ansatz
