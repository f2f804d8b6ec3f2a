#include "experiments/results/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/base/text_table.h"

namespace ansatz::experiments {
namespace {

std::optional<double> optional_number(const Config& section, const char* key) {
  if (!section.has(key)) return std::nullopt;
  return section.get_at_least(key, 0.0, -Config::kLargestNumber);
}

Bound parse_bound(const Config& section) {
  const Bound bound{optional_number(section, "at_least"), optional_number(section, "at_most")};
  if (bound.at_least && bound.at_most && *bound.at_least > *bound.at_most)
    section.fail("at_least", "is above at_most, so that nothing could hold");
  return bound;
}

/// The bound for this size, which may ask for less than the sentence only.
Bound parse_bound_at_this_size(const Config& section, const Bound& sentence) {
  if (!section.has("at_this_size")) return {};
  const Config own = section.section("at_this_size");
  const Bound bound = parse_bound(own);
  if (!bound.given()) own.fail("", "needs at_least or at_most");
  if ((bound.at_least && !sentence.at_least) || (bound.at_most && !sentence.at_most))
    section.fail("at_this_size", "stands beside the bound of the paper's sentence: give that too");
  if ((bound.at_least && *bound.at_least > *sentence.at_least) || (bound.at_most && *bound.at_most < *sentence.at_most))
    section.fail("at_this_size", "asks for more than the paper's sentence");
  return bound;
}

ExpectedFinding parse_expected(const Config& section, const std::vector<std::string>& names) {
  ExpectedFinding expected;
  if (!section.has("name")) section.fail("name", "is needed: which finding is meant");
  expected.name = section.get_choice("name", "", names);
  expected.paper = optional_number(section, "paper");
  expected.source = section.get("source", "");
  expected.bound = parse_bound(section);
  expected.at_this_size = parse_bound_at_this_size(section, expected.bound);
  return expected;
}

std::string with_unit(const std::optional<double>& value, const std::string& unit) {
  if (!value || !std::isfinite(*value)) return "-";
  const std::string number = fmt::format(unit == "%" ? "{:.2f}" : "{:.4g}", *value);
  return unit.empty() ? number : number + " " + unit;
}

std::string with_error(const JudgedFinding& finding) {
  const std::string value = with_unit(finding.value, finding.unit);
  return finding.standard_error ? value + " ± " + with_unit(finding.standard_error, finding.unit) : value;
}

std::string verdict_of(const JudgedFinding& finding) {
  if (!finding.verdict) return "";
  const std::string verdict = *finding.verdict == Verdict::differs ? "DIFFERS" : name_of(*finding.verdict);
  return finding.verdict_at_this_size
             ? fmt::format("{}; {} at this size", verdict, name_of(*finding.verdict_at_this_size))
             : verdict;
}

/// By what is expected of it, if anything is.
JudgedFinding judged_one(const Finding& finding, const Expectations& expectations) {
  JudgedFinding one{finding, {}};
  for (const ExpectedFinding& expected : expectations.findings)
    if (expected.name == finding.name) static_cast<Expectation&>(one) = expected;
  one.judge();
  return one;
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
  for (const Finding& finding : findings) record.list.push_back(judged_one(finding, expectations));
  for (const ExpectedFinding& expected : expectations.findings) {
    const auto same = [&](const Finding& finding) { return finding.name == expected.name; };
    if (std::any_of(findings.begin(), findings.end(), same)) continue;
    JudgedFinding missing{{expected.name, expected.name + ": not found in this run", std::nan("")}, expected};
    missing.judge();
    record.list.push_back(std::move(missing));
  }
  return record;
}

FindingsRecord judged_anew(const FindingsRecord& found, const Config& root) {
  std::vector<std::string> names;
  for (const Config& one : root.section("findings").list("expected")) names.push_back(one.get("name", ""));
  const Expectations expectations = parse_expectations(root, names);
  FindingsRecord record{expectations.differs, {}};
  for (const JudgedFinding& finding : found.list) {
    record.list.push_back(judged_one(finding, expectations));
    record.list.back().sd = finding.sd;
  }
  return record;
}

std::string count_verdicts(const FindingsRecord& findings) {
  std::map<Verdict, int> count;
  int all = 0;
  for (const JudgedFinding& finding : findings.list) {
    if (!finding.verdict) continue;
    ++count[*finding.verdict];
    ++all;
  }
  if (all == 0) return "";
  std::string text = fmt::format("{} of {} hold", count[Verdict::holds], all);
  if (const int n = count[Verdict::differs]; n > 0) text += fmt::format(", {} differ{}", n, n == 1 ? "s" : "");
  if (const int n = count[Verdict::unclear]; n > 0) text += fmt::format(", {} {} unclear", n, n == 1 ? "is" : "are");
  return text;
}

std::string findings_table(const FindingsRecord& findings, std::size_t width) {
  std::vector<std::vector<std::string>> rows;
  for (const JudgedFinding& finding : findings.list) {
    const std::string source = finding.source.empty() ? "" : "(" + finding.source + ")";
    rows.push_back(
        {finding.meaning, with_error(finding), with_unit(finding.paper, finding.unit), verdict_of(finding), source});
  }
  std::string text = "\n" + text_table({{"finding", true}, {"here"}, {"paper", false, 1}, {""}, {"", true, 2}},
                                       std::move(rows), width);
  if (const std::string verdicts = count_verdicts(findings); !verdicts.empty())
    text += verdicts + " (± is one standard error; unclear: the bound is within two, or one run alone cannot tell)\n";
  if (!findings.differs.empty()) text += "differs from the paper: " + findings.differs + "\n";
  return text;
}

}  // namespace ansatz::experiments
