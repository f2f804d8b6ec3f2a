#include "experiments/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ansatz::experiments {
namespace {

std::optional<double> optional_number(const Config& section, const char* key) {
  if (!section.has(key)) return std::nullopt;
  return section.get(key, 0.0);
}

ExpectedFinding parse_expected(const Config& section, const std::vector<std::string>& names) {
  ExpectedFinding expected;
  expected.name = section.get_choice("name", "", names);
  expected.paper = optional_number(section, "paper");
  expected.source = section.get("source", "");
  expected.at_least = optional_number(section, "at_least");
  expected.at_most = optional_number(section, "at_most");
  return expected;
}

void add_expectation(const ExpectedFinding& expected, double value, Json& json) {
  if (expected.paper) json["paper"] = *expected.paper;
  if (!expected.source.empty()) json["source"] = expected.source;
  if (expected.at_least) json["at_least"] = *expected.at_least;
  if (expected.at_most) json["at_most"] = *expected.at_most;
  if (expected.at_least || expected.at_most) {
    const bool low_enough = !expected.at_most || value <= *expected.at_most;
    json["holds"] = low_enough && (!expected.at_least || value >= *expected.at_least);
  }
}

std::string with_unit(const Json& finding, const char* key) {
  if (!finding.contains(key) || !finding.at(key).is_number()) return "-";
  const std::string unit = finding.value("unit", "");
  const std::string number = fmt::format(unit == "%" ? "{:.2f}" : "{:.4g}", finding.at(key).get<double>());
  return unit.empty() ? number : number + " " + unit;
}

}  // namespace

Expectations parse_expectations(const Config& root, const std::vector<std::string>& names) {
  Expectations expectations;
  const Config section = root.section("findings");
  expectations.differs = section.get("differs", "");
  for (const Config& one : section.list("expected")) expectations.findings.push_back(parse_expected(one, names));
  return expectations;
}

Json findings_json(const std::vector<Finding>& findings, const Expectations& expectations) {
  Json json = Json::object();
  if (!expectations.differs.empty()) json["differs"] = expectations.differs;
  json["list"] = Json::array();
  for (const Finding& finding : findings) {
    Json one = {{"name", finding.name}, {"meaning", finding.meaning}, {"value", finding.value}};
    if (!finding.unit.empty()) one["unit"] = finding.unit;
    const auto expected = std::find_if(expectations.findings.begin(), expectations.findings.end(),
                                       [&](const ExpectedFinding& e) { return e.name == finding.name; });
    if (expected != expectations.findings.end()) add_expectation(*expected, finding.value, one);
    json["list"].push_back(std::move(one));
  }
  return json;
}

std::string findings_table(const Json& findings) {
  std::string text = fmt::format("\n{:<58} {:>10} {:>10}\n", "finding", "here", "paper");
  for (const Json& finding : findings.at("list")) {
    const std::string verdict = !finding.contains("holds")     ? ""
                                : finding["holds"].get<bool>() ? "  holds"
                                                               : "  DIFFERS";
    const std::string source = finding.contains("source") ? "  (" + finding["source"].get<std::string>() + ")" : "";
    text += fmt::format("{:<58} {:>10} {:>10}{}{}\n", finding.at("meaning").get<std::string>(),
                        with_unit(finding, "value"), with_unit(finding, "paper"), verdict, source);
  }
  if (findings.contains("differs")) text += "differs from the paper: " + findings["differs"].get<std::string>() + "\n";
  return text;
}

}  // namespace ansatz::experiments
