#include <cmath>

#include "core/base/error.h"
#include "experiments/results/findings.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::experiments;

namespace {

Expectations parse(const std::string& yaml) { return parse_expectations(Config::from_string(yaml), {"a.r", "b.r"}); }

const char* const kBoth = "findings: {expected: [{name: a.r, paper: 0.99, source: Fig. 2, at_least: 0.9, at_most: 1}]}";

}  // namespace

TEST_CASE("a finding is judged by the sentence's bound, and beside it by the one for this size") {
  const Expectations expected = parse(
      "findings: {expected: [{name: a.r, source: 'Fig. 2: above 0.8', at_least: 0.8, at_this_size: {at_least: 0.6}}]}");
  const auto judge = [&](double value, std::optional<double> error) {
    return judged({{"a.r", "r of a", value, "", error}}, expected).list.at(0);
  };
  CHECK(judge(0.9, 0.01).verdict == Verdict::holds);
  CHECK(judge(0.7, 0.01).verdict == Verdict::differs);
  CHECK(judge(0.7, 0.01).verdict_at_this_size == Verdict::holds);
  CHECK(judge(0.78, 0.02).verdict == Verdict::unclear);
  CHECK(judge(0.9, std::nullopt).verdict == Verdict::unclear);
  CHECK(judge(std::nan(""), 0.01).verdict == Verdict::differs);
  CHECK(judged({{"a.r", "r of a", 0.95, "", 0.01}}, parse(kBoth)).list.at(0).verdict == Verdict::holds);
  // Expected, but not found: no value, and no bound that it meets.
  const FindingsRecord none = judged({{"b.r", "r of b", 0.9}}, expected);
  REQUIRE(none.list.size() == 2);
  CHECK(none.list.at(1).name == "a.r");
  CHECK(std::isnan(none.list.at(1).value));
  CHECK(none.list.at(1).verdict == Verdict::differs);
  const FindingsRecord three = judged({{"a.r", "r of a", 0.9, "", 0.01}, {"b.r", "r of b", 0.9}}, expected);
  CHECK(count_verdicts(three) == "1 of 1 hold");
  CHECK(count_verdicts(judged({{"a.r", "r of a", 0.9}}, expected)) == "0 of 1 hold, 1 is unclear");
  CHECK(count_verdicts(none) == "0 of 1 hold, 1 differs");
  CHECK(count_verdicts(judged({{"b.r", "r of b", 0.9}}, parse("findings: {}"))).empty());
}

TEST_CASE("findings of a finished run are judged anew by other bounds, values as they were") {
  FindingsRecord found = judged({{"a.r", "r of a", 0.85, "", 0.01}, {"b.r", "r of b", 0.5, "%", 0.1}},
                                parse("findings: {differs: fewer rows, expected: [{name: a.r, at_least: 0.8}]}"));
  found.list.at(0).sd = 0.02;
  REQUIRE(found.list.at(0).verdict == Verdict::holds);
  const FindingsRecord anew = judged_anew(
      found, Config::from_string("findings: {differs: other words, expected: [{name: a.r, paper: 1, source: Fig. 1, "
                                 "at_least: 0.9, at_this_size: {at_least: 0.8}}, {name: c.r, at_least: 0}]}"));
  CHECK(anew.differs == "other words");
  REQUIRE(anew.list.size() == 2);  // c.r was not found in that run
  const JudgedFinding& a = anew.list.at(0);
  CHECK((a.value == 0.85 && a.standard_error == 0.01 && a.sd == 0.02 && a.meaning == "r of a"));
  CHECK((a.verdict == Verdict::differs && a.verdict_at_this_size == Verdict::holds));
  CHECK((a.paper == 1.0 && a.source == "Fig. 1"));
  CHECK_FALSE(anew.list.at(1).verdict);
  // Without expectations nothing is judged.
  const FindingsRecord none = judged_anew(found, Config::from_string("seed: 1\n"));
  CHECK((!none.list.at(0).verdict && !none.list.at(0).bound.given() && none.differs.empty()));
}

TEST_CASE("a finding without bounds has no verdict, one that nobody expects stands alone") {
  const FindingsRecord findings = judged({{"a.r", "r of a", 0.5}, {"b.r", "r of b", 7, "%"}},
                                         parse("findings: {differs: fewer rows, expected: [{name: a.r, paper: 0.4}]}"));
  CHECK(findings.differs == "fewer rows");
  CHECK_FALSE(findings.list.at(0).verdict);
  CHECK(findings.list.at(0).paper == 0.4);
  const JudgedFinding& alone = findings.list.at(1);
  CHECK((alone.name == "b.r" && alone.meaning == "r of b" && alone.value == 7 && alone.unit == "%"));
  CHECK_FALSE(alone.paper);
  CHECK_FALSE(alone.verdict);
}

TEST_CASE("expectations that nothing could meet are refused") {
  const auto refused = [](const std::string& yaml) { return message_of<ConfigError>([&] { parse(yaml); }); };
  CHECK(contains(refused("findings: {expected: [{name: a.q, paper: 1}]}"), "a.r"));
  CHECK(contains(refused("findings: {expected: [{paper: 1}]}"), "which finding is meant"));
  CHECK(contains(refused("findings: {expected: [{name: a.r, at_least: 2, at_most: 1}]}"), "nothing could hold"));
  CHECK(contains(refused("findings: {expected: [{name: a.r}, {name: a.r}]}"), "twice"));
  // A bound for this size neither replaces the sentence's nor asks for more.
  CHECK(contains(refused("findings: {expected: [{name: a.r, at_this_size: {at_least: 0.6}}]}"), "give that too"));
  CHECK(contains(refused("findings: {expected: [{name: a.r, at_least: 0.8, at_this_size: {at_most: 1}}]}"),
                 "give that too"));
  CHECK(contains(refused("findings: {expected: [{name: a.r, at_least: 0.8, at_this_size: {at_least: 0.9}}]}"),
                 "asks for more"));
  CHECK(contains(refused("findings: {expected: [{name: a.r, at_least: 0.8, at_this_size: {}}]}"),
                 "needs at_least or at_most"));
}

TEST_CASE("the table of findings says value, paper, verdict and what differs") {
  const FindingsRecord findings =
      judged({{"a.r", "r of a", 0.5, "", 0.125}, {"b.r", "share", 12.345, "%"}},
             parse("findings: {differs: fewer rows, expected: [{name: a.r, paper: 0.99, source: "
                   "Fig. 2, at_least: 0.9}]}"));
  const std::string table = findings_table(findings);
  for (const char* part :
       {"r of a", "0.5 ± 0.125", "0.99", "DIFFERS", "(Fig. 2)", "12.35 %", "differs from the paper: fewer rows"})
    CHECK(contains(table, part));
  CHECK(contains(table, "0 of 1 hold, 1 differs"));
  CHECK_FALSE(contains(table, "holds"));
}
