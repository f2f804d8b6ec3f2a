#include "experiments/results/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

namespace ansatz::experiments {
namespace {

std::optional<double> optional_number(const Config& section, const char* key) {
  if (!section.has(key)) return std::nullopt;
  return section.get_at_least(key, 0.0, -Config::kLargestNumber);
}

ExpectedFinding parse_expected(const Config& section, const std::vector<std::string>& names) {
  ExpectedFinding expected;
  if (!section.has("name")) section.fail("name", "is needed: which finding is meant");
  expected.name = section.get_choice("name", "", names);
  expected.paper = optional_number(section, "paper");
  expected.source = section.get("source", "");
  expected.at_least = optional_number(section, "at_least");
  expected.at_most = optional_number(section, "at_most");
  if (expected.at_least && expected.at_most && *expected.at_least > *expected.at_most)
    section.fail("at_least", "is above at_most, so that nothing could hold");
  return expected;
}

/// `holds` of a finding whose value and bounds stand.
void judge(Json& finding) {
  if (!finding.contains("at_least") && !finding.contains("at_most")) return;
  const double value = finding.at("value").get<double>();
  finding["holds"] = (!finding.contains("at_least") || value >= finding.at("at_least").get<double>()) &&
                     (!finding.contains("at_most") || value <= finding.at("at_most").get<double>());
}

void add_expectation(const ExpectedFinding& expected, Json& json) {
  if (expected.paper) json["paper"] = *expected.paper;
  if (!expected.source.empty()) json["source"] = expected.source;
  if (expected.at_least) json["at_least"] = *expected.at_least;
  if (expected.at_most) json["at_most"] = *expected.at_most;
  judge(json);
}

std::string with_unit(const Json& finding, const char* key) {
  if (!finding.contains(key) || !finding.at(key).is_number() || !std::isfinite(finding.at(key).get<double>()))
    return "-";
  const std::string unit = finding.value("unit", "");
  const std::string number = fmt::format(unit == "%" ? "{:.2f}" : "{:.4g}", finding.at(key).get<double>());
  return unit.empty() ? number : number + " " + unit;
}

}  // namespace

Expectations parse_expectations(const Config& root, const std::vector<std::string>& names) {
  Expectations expectations;
  const Config section = root.section("findings");
  expectations.differs = section.get("differs", "");
  std::set<std::string> taken;
  for (const Config& one : section.list("expected")) {
    expectations.findings.push_back(parse_expected(one, names));
    if (!taken.insert(expectations.findings.back().name).second) one.fail("name", "stands in the list twice");
  }
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
    if (expected != expectations.findings.end()) add_expectation(*expected, one);
    json["list"].push_back(std::move(one));
  }
  return json;
}

void check_findings(const JsonValue& findings) {
  findings.text("differs", "");
  for (const JsonValue& finding : findings.at("list").list()) {
    finding.at("name").text();
    finding.at("meaning").text();
    finding.at("value").number();
    for (const char* key : {"unit", "source"}) finding.text(key, "");
    for (const char* key : {"paper", "at_least", "at_most"})
      if (finding.has(key) && !finding.at(key).is_number()) finding.at(key).fail("must be a number");
    if (finding.has("holds")) finding.at("holds").truth();
  }
}

Json findings_over_runs(Json findings, const std::function<std::pair<double, double>(const std::string&)>& over_runs) {
  for (Json& finding : findings.at("list")) {
    const auto [mean, sd] = over_runs(finding.at("name").get<std::string>());
    finding["value"] = mean;
    finding["sd"] = sd;
    judge(finding);
  }
  return findings;
}

std::string findings_table(const Json& findings) {
  std::string text = fmt::format("\n{:<58} {:>10} {:>10}\n", "finding", "here", "paper");
  for (const Json& finding : findings.at("list")) {
    const std::string verdict = !finding.contains("holds")     ? ""
                                : finding["holds"].get<bool>() ? "  holds"
                                                               : "  DIFFERS";
    const std::string source = finding.contains("source") ? "  (" + finding["source"].get<std::string>() + ")" : "";
    const std::string deviation = finding.contains("sd") ? " ± " + with_unit(finding, "sd") : "";
    text += fmt::format("{:<58} {:>10}{} {:>10}{}{}\n", finding.at("meaning").get<std::string>(),
                        with_unit(finding, "value"), deviation, with_unit(finding, "paper"), verdict, source);
  }
  if (findings.contains("differs")) text += "differs from the paper: " + findings["differs"].get<std::string>() + "\n";
  return text;
}

}  // namespace ansatz::experiments
