#include "experiments/results/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/text_table.h"

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

std::string with_unit(const std::optional<double>& value, const std::string& unit) {
  if (!value || !std::isfinite(*value)) return "-";
  const std::string number = fmt::format(unit == "%" ? "{:.2f}" : "{:.4g}", *value);
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

FindingsRecord judged(const std::vector<Finding>& findings, const Expectations& expectations) {
  FindingsRecord record{expectations.differs, {}};
  for (const Finding& finding : findings) {
    const auto expected = std::find_if(expectations.findings.begin(), expectations.findings.end(),
                                       [&](const ExpectedFinding& e) { return e.name == finding.name; });
    JudgedFinding one{finding, {}};
    if (expected != expectations.findings.end()) static_cast<Expectation&>(one) = *expected;
    one.judge();
    record.list.push_back(std::move(one));
  }
  return record;
}

std::string findings_table(const FindingsRecord& findings, std::size_t width) {
  std::vector<std::vector<std::string>> rows;
  for (const JudgedFinding& finding : findings.list) {
    const std::string verdict = !finding.holds ? "" : *finding.holds ? "holds" : "DIFFERS";
    const std::string source = finding.source.empty() ? "" : "(" + finding.source + ")";
    const std::string deviation = finding.sd ? " ± " + with_unit(finding.sd, finding.unit) : "";
    rows.push_back({finding.meaning, with_unit(finding.value, finding.unit) + deviation,
                    with_unit(finding.paper, finding.unit), verdict, source});
  }
  std::string text = "\n" + text_table({{"finding", true}, {"here"}, {"paper", false, 1}, {""}, {"", true, 2}},
                                       std::move(rows), width);
  if (!findings.differs.empty()) text += "differs from the paper: " + findings.differs + "\n";
  return text;
}

}  // namespace ansatz::experiments
