#include "core/record/json/tuning_json.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "core/files/json_lists.h"
#include "core/record/json/fit_json.h"

namespace ansatz {
namespace {

/// Whether the whole text is a number of that kind.
template <class Number>
bool reads(const std::string& text, Number& number) {
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && rest == text.data() + text.size();
}

Json value_json(const std::string& text) {
  Index integer = 0;
  double number = 0;
  if (reads(text, integer)) return integer;
  return reads(text, number) ? Json(number) : Json(text);
}

Json values_json(const std::vector<std::string>& texts) {
  Json values = Json::array();
  for (const std::string& text : texts) values.push_back(value_json(text));
  return values;
}

std::vector<std::string> values_from_json(const JsonValue& json) {
  std::vector<std::string> texts;
  for (const JsonValue& value : json.list()) texts.push_back(value.is_number() ? value.json().dump() : value.text());
  return texts;
}

Json result_json(const TuningCell& cell) {
  Json json = Json::object();
  if (cell.validation) json["validation"] = to_json(*cell.validation);
  if (!cell.failure.empty()) json["failure"] = cell.failure;
  return json;
}

TuningCell result_from_json(std::vector<std::string> values, const JsonValue& json) {
  return {std::move(values), find_metrics(json, "validation"), json.text("failure", ""), 0};
}

}  // namespace

Json to_json(const TuningRecord& tuning) {
  Json json = {{"model", tuning.model}, {"keys", Json::array()}, {"cells", Json::array()}};
  for (const TuningAxis& axis : tuning.axes) {
    json["keys"].push_back({{"key", axis.key}, {"values", values_json(axis.values)}});
    if (axis.logarithmic) json["keys"].back()["spacing"] = "log";
  }
  for (const TuningCell& cell : tuning.cells) {
    json["cells"].push_back({{"values", values_json(cell.values)}});
    json["cells"].back().update(result_json(cell));
  }
  json["chosen_cell"] = tuning.chosen;
  for (std::size_t axis = 0; axis < tuning.axes.size(); ++axis)
    json["chosen"][tuning.axes[axis].key] = value_json(tuning.chosen_cell().values[axis]);
  return json;
}

TuningRecord tuning_from_json(const JsonValue& json) {
  TuningRecord tuning;
  tuning.model = json.at("model").text();
  for (const JsonValue& axis : json.at("keys").list())
    tuning.axes.push_back(
        {axis.at("key").text(), values_from_json(axis.at("values")), axis.text("spacing", "") == "log"});
  for (const JsonValue& cell : json.at("cells").list()) {
    tuning.cells.push_back(result_from_json(values_from_json(cell.at("values")), cell));
    if (tuning.cells.back().values.size() != tuning.axes.size())
      cell.at("values").fail("must have a value for each key");
  }
  if (tuning.cells.empty()) json.at("cells").fail("must hold a cell");
  tuning.chosen = json.at("chosen_cell").integer(0, static_cast<Index>(tuning.cells.size()) - 1);
  return tuning;
}

Json timing_json(const TuningRecord& tuning) {
  Json seconds = Json::array();
  for (const TuningCell& cell : tuning.cells) seconds.push_back(cell.seconds);
  return seconds;
}

void add_timing(const JsonValue& json, TuningRecord& tuning) {
  const std::vector<double> seconds = numbers_of(json);
  for (std::size_t i = 0; i < std::min(seconds.size(), tuning.cells.size()); ++i) tuning.cells[i].seconds = seconds[i];
}

Json state_json(const TuningCell& cell) {
  Json json = result_json(cell);
  json["seconds"] = cell.seconds;
  return json;
}

TuningCell cell_from_state(std::vector<std::string> values, const JsonValue& json) {
  TuningCell cell = result_from_json(std::move(values), json);
  cell.seconds = json.at("seconds").number();
  return cell;
}

}  // namespace ansatz
