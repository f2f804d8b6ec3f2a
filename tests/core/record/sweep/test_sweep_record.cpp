// The record of a sweep: labels, statistics over seeds, and metrics.json there and back.
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/record/sweep/sweep_families.h"
#include "core/record/sweep/sweep_json.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Two axes, one of two keys; cell 1 has a seed that failed.
SweepRecord record() {
  SweepRecord sweep;
  sweep.experiment = "feature_comparison";
  sweep.name = "s";
  sweep.axes = {{{"rfm.ridge"}, {{"0.1"}, {"1"}}, true}, {{"a", "b"}, {{"[64]", "word"}}, false}};
  sweep.numbers = {"models.rfm.test.accuracy", "models.rfm.test.r2", "findings.slope"};
  sweep.cells = {{{0, 0},
                  {{4, SweepStatus::done, "", {0.5, 1, kNone}, 2}, {5, SweepStatus::done, "", {0.7, 3, kNone}, 3}},
                  {"network: nothing learned"}},
                 {{1, 0}, {{4, SweepStatus::done, "", {0.9, 2, 1}, 1}, {5, SweepStatus::failed, "not finite"}}, {}}};
  return sweep;
}

}  // namespace

TEST_CASE("sweep record: labels, words and statuses") {
  const SweepRecord sweep = record();
  CHECK(sweep_label(3, 12) == "003");
  CHECK(sweep_label(3, 1001) == "0003");
  CHECK(sweep.describe(1) == "rfm.ridge=1, a=[64], b=word");
  CHECK(sweep.cells[0].status() == SweepStatus::done);
  CHECK(sweep.cells[1].status() == SweepStatus::failed);
  CHECK(sweep.cells[1].failure() == "not finite");
  CHECK(sweep.count(SweepStatus::failed) == 1);
  CHECK(sweep.runs() == 4);
}

TEST_CASE("sweep record: mean, deviation and standard error over the seeds that are done") {
  const SweepRecord sweep = record();
  const SweepValue both = sweep.value(0, 0);
  CHECK(both.spread.mean == Approx(0.6));
  CHECK(both.spread.sd == Approx(std::sqrt(0.02)));
  CHECK(both.standard_error == Approx(0.1));
  CHECK(sweep.value(1, 0).spread.mean == Approx(0.9));
  CHECK(std::isnan(sweep.value(1, 0).standard_error));
  CHECK(sweep.value(0, 2).spread.values.empty());
}

TEST_CASE("sweep record: metrics.json there and back") {
  const Json json = to_json(record());
  CHECK(is_of_sweep(JsonValue(json, "metrics.json")));
  const auto cell = json.at("sweep").at("cells").at(0);
  CHECK(cell.at("values").dump() == R"({"rfm.ridge":0.1,"a":[64],"b":"word"})");
  const SweepRecord again = sweep_from_json(JsonValue(Json::parse(json.dump()), "metrics.json"));
  CHECK(to_json(again).dump() == json.dump());
  CHECK(again.axes[0].logarithmic);
  CHECK(again.cells[0].runs[1].seconds == 3);
  CHECK(again.cells[1].runs[1].failure == "not finite");
}

TEST_CASE("sweep record: what is damaged is an error that names the key") {
  const auto error_of = [](const std::function<void(Json&)>& damage) {
    Json json = to_json(record());
    damage(json["sweep"]);
    return message_of<DataError>([&] { sweep_from_json(JsonValue(json, "metrics.json")); });
  };
  CHECK_THAT(error_of([](Json& s) {
               s["cells"][0]["places"] = Json::array({0, 1});
             }),
             Catch::Contains("metrics.json: sweep.cells"));
  CHECK_THAT(error_of([](Json& s) { s["cells"][0]["runs"][0]["status"] = "lost"; }), Catch::Contains("status"));
  CHECK_THAT(error_of([](Json& s) { s["cells"] = Json::array(); }), Catch::Contains("must hold a cell"));
  CHECK_THAT(error_of([](Json& s) { s["numbers"] = Json::array({"other"}); }), Catch::Contains("none of the numbers"));
}

TEST_CASE("sweep record: shown are scores of the test rows, as accuracy where there is one, and findings") {
  const std::vector<SweepFamily> families = families_of(record());
  REQUIRE(families.size() == 2);
  CHECK(families[0].name == "scores");
  CHECK(families[0].title == "test accuracy (%)");
  CHECK(families[0].unit == 0.01);
  REQUIRE(families[0].members.size() == 1);
  CHECK(families[0].members[0].label == "rfm");
  CHECK(families[1].members.at(0).label == "slope");
}

TEST_CASE("a mapping among a sweep's values is called by its file or its name, where that tells it apart") {
  SweepAxis axis;
  axis.keys = {"dataset"};
  axis.values = {
      {"{name: mnist, train_size: 200}"}, {"{name: csv, path: /data/magic.csv, target: y}"}, {"{depth: 2}"}, {"5"}};
  CHECK(axis.text(0) == "mnist");
  CHECK(axis.text(1) == "magic");
  CHECK(axis.text(2) == "{depth: 2}");
  CHECK(axis.text(3) == "5");
  axis.values.push_back({"{name: mnist, train_size: 400}"});
  CHECK(axis.text(0) == "{name: mnist, train_size: 200}");
}
