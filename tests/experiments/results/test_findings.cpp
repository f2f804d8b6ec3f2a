#include <cmath>
#include <nlohmann/json.hpp>

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
    return findings_json({{"a.r", "r of a", value}}, expected).at("list").at(0).at("holds").get<bool>();
  };
  CHECK(holds(0.95));
  CHECK(holds(0.9));
  CHECK(holds(1.0));
  CHECK_FALSE(holds(std::nextafter(0.9, 0)));
  CHECK_FALSE(holds(std::nextafter(1.0, 2)));
  CHECK_FALSE(holds(std::nan("")));
}

TEST_CASE("a finding without bounds has no verdict, one that nobody expects stands alone") {
  const Json list = findings_json({{"a.r", "r of a", 0.5}, {"b.r", "r of b", 7, "%"}},
                                  parse("findings: {differs: fewer rows, expected: [{name: a.r, paper: 0.4}]}"));
  CHECK(list.at("differs") == "fewer rows");
  CHECK_FALSE(list.at("list").at(0).contains("holds"));
  CHECK(list.at("list").at(0).at("paper") == 0.4);
  CHECK(list.at("list").at(1) == Json({{"name", "b.r"}, {"meaning", "r of b"}, {"value", 7.0}, {"unit", "%"}}));
}

TEST_CASE("expectations that nothing could meet are refused") {
  const auto refused = [](const std::string& yaml) { return message_of<ConfigError>([&] { parse(yaml); }); };
  CHECK(contains(refused("findings: {expected: [{name: a.q, paper: 1}]}"), "a.r"));
  CHECK(contains(refused("findings: {expected: [{paper: 1}]}"), "which finding is meant"));
  CHECK(contains(refused("findings: {expected: [{name: a.r, at_least: 2, at_most: 1}]}"), "nothing could hold"));
  CHECK(contains(refused("findings: {expected: [{name: a.r}, {name: a.r}]}"), "twice"));
}

TEST_CASE("over several runs the mean is judged, and a finding that a run lacks holds nothing") {
  Json one = findings_json({{"a.r", "r of a", 0.95}}, parse(kBoth));
  REQUIRE(one.at("list").at(0).at("holds") == true);
  const auto over = [&](double mean, double sd) {
    return findings_over_runs(one, [&](const std::string&) { return std::pair(mean, sd); }).at("list").at(0);
  };
  CHECK(over(0.85, 0.2).at("holds") == false);
  CHECK(over(0.85, 0.2).at("sd") == 0.2);
  CHECK(over(std::nan(""), std::nan("")).at("holds") == false);
}

TEST_CASE("the table of findings says value, paper, verdict and what differs") {
  const Json json = findings_json({{"a.r", "r of a", 0.5}, {"b.r", "share", 12.345, "%"}},
                                  parse("findings: {differs: fewer rows, expected: [{name: a.r, paper: 0.99, source: "
                                        "Fig. 2, at_least: 0.9}]}"));
  const std::string table = findings_table(json);
  for (const char* part :
       {"r of a", "0.5", "0.99", "DIFFERS", "(Fig. 2)", "12.35 %", "differs from the paper: fewer rows"})
    CHECK(contains(table, part));
  CHECK_FALSE(contains(table, "holds"));
}
