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

TEST_CASE("a finding holds within its bounds, both included, and NaN holds nothing") {
  const Expectations expected = parse(kBoth);
  const auto holds = [&](double value) {
    return judged({{"a.r", "r of a", value}}, expected).list.at(0).holds.value();
  };
  CHECK(holds(0.95));
  CHECK(holds(0.9));
  CHECK(holds(1.0));
  CHECK_FALSE(holds(std::nextafter(0.9, 0)));
  CHECK_FALSE(holds(std::nextafter(1.0, 2)));
  CHECK_FALSE(holds(std::nan("")));
}

TEST_CASE("a finding without bounds has no verdict, one that nobody expects stands alone") {
  const FindingsRecord findings = judged({{"a.r", "r of a", 0.5}, {"b.r", "r of b", 7, "%"}},
                                         parse("findings: {differs: fewer rows, expected: [{name: a.r, paper: 0.4}]}"));
  CHECK(findings.differs == "fewer rows");
  CHECK_FALSE(findings.list.at(0).holds);
  CHECK(findings.list.at(0).paper == 0.4);
  const JudgedFinding& alone = findings.list.at(1);
  CHECK((alone.name == "b.r" && alone.meaning == "r of b" && alone.value == 7 && alone.unit == "%"));
  CHECK_FALSE(alone.paper);
  CHECK_FALSE(alone.holds);
}

TEST_CASE("expectations that nothing could meet are refused") {
  const auto refused = [](const std::string& yaml) { return message_of<ConfigError>([&] { parse(yaml); }); };
  CHECK(contains(refused("findings: {expected: [{name: a.q, paper: 1}]}"), "a.r"));
  CHECK(contains(refused("findings: {expected: [{paper: 1}]}"), "which finding is meant"));
  CHECK(contains(refused("findings: {expected: [{name: a.r, at_least: 2, at_most: 1}]}"), "nothing could hold"));
  CHECK(contains(refused("findings: {expected: [{name: a.r}, {name: a.r}]}"), "twice"));
}

TEST_CASE("the table of findings says value, paper, verdict and what differs") {
  const FindingsRecord findings =
      judged({{"a.r", "r of a", 0.5}, {"b.r", "share", 12.345, "%"}},
             parse("findings: {differs: fewer rows, expected: [{name: a.r, paper: 0.99, source: "
                   "Fig. 2, at_least: 0.9}]}"));
  const std::string table = findings_table(findings);
  for (const char* part :
       {"r of a", "0.5", "0.99", "DIFFERS", "(Fig. 2)", "12.35 %", "differs from the paper: fewer rows"})
    CHECK(contains(table, part));
  CHECK_FALSE(contains(table, "holds"));
}
