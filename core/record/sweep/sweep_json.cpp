#include "core/record/sweep/sweep_json.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/files/json_lists.h"
#include "core/record/json/config_json.h"
#include "core/record/json/run_record_json.h"

namespace ansatz {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// A value of the config, as YAML: numbers, lists and truths typed, words as text.
Json typed(const std::string& value) {
  const Json parsed = Json::parse(value, nullptr, false);
  return parsed.is_discarded() ? Json(value) : parsed;
}

Json to_json(const SweepAxis& axis) {
  Json json = {{"keys", axis.keys}, {"values", axis.values}};
  if (axis.logarithmic) json["spacing"] = "log";
  return json;
}

SweepAxis axis_from_json(const JsonValue& json) {
  SweepAxis axis{texts_of(json, "keys"), {}, json.text("spacing", "") == "log"};
  if (axis.keys.empty()) json.at("keys").fail("must name a key");
  for (const JsonValue& place : json.at("values").list()) {
    axis.values.emplace_back();
    for (const JsonValue& value : place.list()) axis.values.back().push_back(value.text());
    if (axis.values.back().size() != axis.keys.size()) place.fail("must have a value for each key");
  }
  if (axis.values.empty()) json.at("values").fail("must hold a value");
  return axis;
}

Json to_json(const SweepRun& run) {
  Json json = {{"seed", run.seed}, {"status", name_of(run.status)}};
  if (!run.failure.empty()) json["failure"] = run.failure;
  return json;
}

SweepRun run_from_json(const JsonValue& json, std::size_t numbers) {
  SweepRun run{seed_from_json(json.at("seed")), SweepStatus::missing, json.text("failure", "")};
  const std::string status = json.at("status").text();
  for (const SweepStatus one : {SweepStatus::done, SweepStatus::failed, SweepStatus::missing})
    if (name_of(one) == status) run.status = one;
  if (name_of(run.status) != status) json.at("status").fail("must be done, failed or missing");
  if (run.status == SweepStatus::done) run.numbers.assign(numbers, kNone);
  return run;
}

/// Mean and values, one a run, of every number that the cell has.
Json numbers_json(const SweepRecord& sweep, std::size_t cell) {
  Json json = Json::object();
  for (std::size_t number = 0; number < sweep.numbers.size(); ++number) {
    const SweepValue value = sweep.value(cell, number);
    if (value.spread.values.empty()) continue;
    Json values = Json::array();
    for (const SweepRun& run : sweep.cells[cell].runs)
      values.push_back(run.status == SweepStatus::done ? run.numbers[number] : kNone);
    json[sweep.numbers[number]] = {{"mean", value.spread.mean},
                                   {"sd", value.spread.sd},
                                   {"standard_error", value.standard_error},
                                   {"values", std::move(values)}};
  }
  return json;
}

void read_numbers(const JsonValue& json, const std::vector<std::string>& names, SweepCell& cell) {
  for (const auto& [name, number] : json.members()) {
    const auto known = std::find(names.begin(), names.end(), name);
    if (known == names.end()) number.fail("is none of the numbers that the sweep lists");
    const std::vector<double> values = numbers_of(number.at("values"));
    if (values.size() != cell.runs.size()) number.at("values").fail("must be one for each of the runs");
    for (std::size_t i = 0; i < values.size(); ++i)
      if (cell.runs[i].status == SweepStatus::done)
        cell.runs[i].numbers[static_cast<std::size_t>(known - names.begin())] = values[i];
  }
}

Json cell_json(const SweepRecord& sweep, std::size_t number) {
  const SweepCell& cell = sweep.cells[number];
  Json json = {{"cell", sweep.label(number)}, {"values", Json::object()}, {"places", cell.places}};
  for (std::size_t i = 0; i < sweep.axes.size(); ++i)
    for (std::size_t key = 0; key < sweep.axes[i].keys.size(); ++key)
      json["values"][sweep.axes[i].keys[key]] = typed(sweep.axes[i].values[cell.places[i]][key]);
  json["runs"] = Json::array();
  for (const SweepRun& run : cell.runs) json["runs"].push_back(to_json(run));
  json["numbers"] = numbers_json(sweep, number);
  if (!cell.warnings.empty()) json["warnings"] = cell.warnings;
  return json;
}

SweepCell cell_from_json(const JsonValue& json, const SweepRecord& sweep) {
  SweepCell cell;
  const std::vector<JsonValue> places = json.at("places").list();
  if (places.size() != sweep.axes.size()) json.at("places").fail("must be one for each of the axes");
  for (std::size_t i = 0; i < places.size(); ++i)
    cell.places.push_back(
        static_cast<std::size_t>(places[i].integer(0, static_cast<Index>(sweep.axes[i].values.size()) - 1)));
  for (const JsonValue& run : json.at("runs").list()) cell.runs.push_back(run_from_json(run, sweep.numbers.size()));
  if (cell.runs.empty()) json.at("runs").fail("must hold a run");
  read_numbers(json.at("numbers"), sweep.numbers, cell);
  cell.warnings = texts_of(json, "warnings");
  return cell;
}

void read_timings(const JsonValue& timings, SweepRecord& sweep) {
  const std::vector<JsonValue> cells = list_or_none(timings, "sweep");
  for (std::size_t i = 0; i < std::min(cells.size(), sweep.cells.size()); ++i) {
    const std::vector<double> seconds = numbers_of(cells[i]);
    std::vector<SweepRun>& runs = sweep.cells[i].runs;
    for (std::size_t j = 0; j < std::min(seconds.size(), runs.size()); ++j) runs[j].seconds = seconds[j];
  }
}

}  // namespace

Json to_json(const SweepRecord& sweep) {
  Json json = {{"schema", 1},
               {"experiment", sweep.experiment},
               {"name", sweep.name},
               {"conventions", to_json(sweep.conventions)}};
  if (sweep.config) json["config"] = to_json(*sweep.config);
  Json axes = Json::array(), cells = Json::array(), seconds = Json::array();
  for (const SweepAxis& axis : sweep.axes) axes.push_back(to_json(axis));
  for (std::size_t i = 0; i < sweep.cells.size(); ++i) {
    cells.push_back(cell_json(sweep, i));
    seconds.push_back(Json::array());
    for (const SweepRun& run : sweep.cells[i].runs) seconds.back().push_back(run.seconds);
  }
  json["sweep"] = {{"axes", std::move(axes)}, {"numbers", sweep.numbers}, {"cells", std::move(cells)}};
  json["figures"] = figures_json(sweep.figures);
  json["timings"]["sweep"] = std::move(seconds);
  return json;
}

SweepRecord sweep_from_json(const JsonValue& metrics) {
  SweepRecord sweep;
  sweep.experiment = metrics.at("experiment").text();
  sweep.name = metrics.at("name").text();
  sweep.conventions = texts_from_json(metrics.at("conventions"));
  if (metrics.has("config")) sweep.config = config_from_json(metrics.at("config"));
  const JsonValue json = metrics.at("sweep");
  for (const JsonValue& axis : json.at("axes").list()) sweep.axes.push_back(axis_from_json(axis));
  sweep.numbers = texts_of(json, "numbers");
  for (const JsonValue& cell : json.at("cells").list()) sweep.cells.push_back(cell_from_json(cell, sweep));
  if (sweep.cells.empty()) json.at("cells").fail("must hold a cell");
  sweep.figures = figures_from_json(metrics);
  if (metrics.has("timings")) read_timings(metrics.at("timings"), sweep);
  return sweep;
}

bool is_of_sweep(const JsonValue& metrics) { return metrics.has("sweep"); }

}  // namespace ansatz
