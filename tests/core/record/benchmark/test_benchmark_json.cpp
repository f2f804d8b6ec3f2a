#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/record/benchmark/benchmark_json.h"
#include "core/record/json/run_record_json.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;

namespace {

const double kUndefined = std::nan("");

MethodOnSet rfm_result() {
  MethodOnSet result;
  result.method = "RFM";
  result.choice = {{"ridge", "0.1"}, {"größe", "unit_norm"}};
  result.trials = 20;
  result.validation = BenchmarkScore{2.0 / 3, 0.1 + 0.2, 0.25};
  result.folds = {{0.5, 0.25, kUndefined}, {1.0 / 3, 0.125, 0.5}};
  result.features = LearnedFeatures{"the tuning split", 3, Vector<double>(3), Vector<double>(1), Matrix<double>(1, 3)};
  result.features->diagonal << 1, 1.0 / 3, 2;
  result.features->eigenvalues << 2.5;
  result.features->eigenvectors << 0.6, 0, 0.8;
  result.search_seconds = 1.5;
  result.fit_seconds = 0.25;
  return result;
}

BenchmarkRecord record() {
  BenchmarkRecord benchmark;
  benchmark.collection = "uci121";
  benchmark.baseline = "Laplace";
  benchmark.methods = {{"RFM", "rfm", "clean", "full M"}, {"Laplace", "kernel", "", ""}};
  BenchmarkSet cars{"cars", "", 100, 3, 2, Task::classification, {"a note"}, {"a", "b=1", "b=2"}, {}, {}, 7};
  cars.column_groups = {{"a", 0, 1, false}, {"b", 1, 2, true}};
  MethodOnSet failed;
  failed.method = "Laplace";
  failed.failure = "the matrix is singular";
  cars.results = {rfm_result(), failed};
  BenchmarkSet damaged;
  damaged.name = "damaged";
  damaged.failure = "damaged_R.dat: line 3 has 4 cells";
  BenchmarkSet houses;
  houses.name = "houses";
  houses.task = Task::regression;
  benchmark.sets = {cars, damaged, houses};
  Matrix<double> scores(2, 2);
  scores << 0.75, kUndefined, 0.5, 1.0 / 3;
  benchmark.published = {{"a paper", {{"cars", "houses"}, {"forest", "net"}, scores}}};
  return benchmark;
}

RunRecord run() {
  RunRecord run;
  run.experiment = "benchmark";
  run.name = "n";
  run.benchmark = record();
  return run;
}

Json reread(const Json& json) { return Json::parse(json.dump()); }
RunRecord read(const Json& json) { return record_from_json({reread(json), "run/metrics.json"}); }
std::string refused(const Json& json) {
  return message_of<DataError>([&] { read(json); });
}

}  // namespace

TEST_CASE("benchmark in metrics.json: read back as it was written, seconds too") {
  const RunRecord before = run(), after = read(to_json(before));
  CHECK(to_json(after).dump(1) == to_json(before).dump(1));
  REQUIRE(after.benchmark);
  const BenchmarkSet& cars = after.benchmark->sets[0];
  CHECK(cars.column_groups == before.benchmark->sets[0].column_groups);
  CHECK(cars.seconds == 7);
  CHECK(cars.find("RFM")->search_seconds == 1.5);
  CHECK(cars.find("RFM")->fit_seconds == 0.25);
  CHECK(cars.find("RFM")->choice == rfm_result().choice);
  CHECK(cars.find("RFM")->validation->accuracy == 2.0 / 3);
  CHECK(std::isnan(cars.find("RFM")->folds[0].r2));
  CHECK(cars.find("RFM")->features->eigenvectors == rfm_result().features->eigenvectors);
  CHECK(cars.find("Laplace")->failure == "the matrix is singular");
  CHECK(after.benchmark->sets[1].failure == "damaged_R.dat: line 3 has 4 cells");
  CHECK(std::isnan(after.benchmark->published[0].table.scores(0, 1)));
}

TEST_CASE("benchmark in metrics.json: equal results give equal text but for timings") {
  RunRecord slower = run();
  slower.benchmark->sets[0].seconds = 70;
  slower.benchmark->sets[0].results[0].fit_seconds = 60;
  Json a = to_json(run()), b = to_json(slower);
  CHECK(a.dump() != b.dump());
  a.erase("timings");
  b.erase("timings");
  CHECK(a.dump() == b.dump());
}

TEST_CASE("benchmark in metrics.json: features of more inputs than anyone reads stay out") {
  RunRecord wide = run();
  BenchmarkSet& set = wide.benchmark->sets[0];
  set.dimension = 10'001;
  set.column_groups.clear();
  set.feature_names.assign(10'001, "gene");
  CHECK_FALSE(to_json(wide).at("benchmark").at("sets").at(0).contains("feature_names"));
  CHECK_FALSE(to_json(wide).at("benchmark").at("sets").at(0).at("results").at(0).contains("features"));
}

// Any value in place of what stands there: read, or refused with the file's name. Never a crash.
TEST_CASE("benchmark in metrics.json: whatever stands at any key is read or refused by name") {
  const Json whole = reread(to_json(run())), flat = whole.flatten();
  int refusals = 0;
  for (const auto& [pointer, value] : flat.items()) {
    for (const Json& other : {Json(nullptr), Json(-1), Json("x"), Json::array(), Json::object(), Json(1e300)}) {
      Json changed = whole;
      changed[Json::json_pointer(pointer)] = other;
      try {
        read(changed);
      } catch (const DataError& error) {
        ++refusals;
        CHECK(contains(error.what(), "run/metrics.json"));
      }
    }
  }
  CHECK(refusals > 2 * static_cast<int>(flat.size()));
}

TEST_CASE("benchmark in metrics.json: what does not fit together is refused") {
  const auto changed = [](const char* pointer, const Json& value) {
    Json json = reread(to_json(run()));
    json[Json::json_pointer(pointer)] = value;
    return refused(json);
  };
  CHECK(contains(changed("/benchmark/sets/0/results/0/method", "other"), "methods that the benchmark lists"));
  CHECK(contains(changed("/benchmark/sets/0/columns/1/first", 2), "columns.1.first must be where the one before"));
  CHECK(contains(changed("/benchmark/sets/0/columns/1/width", 1), "columns must hold all inputs"));
  CHECK(contains(changed("/benchmark/sets/0/feature_names", {"a"}), "as many as the inputs"));
  CHECK(contains(changed("/benchmark/sets/0/results/0/features/diagonal", {1}), "an entry for each input"));
  CHECK(contains(changed("/benchmark/sets/0/results/0/features/eigenvalues", {1, 2}), "one for each of the eigen"));
  CHECK(contains(changed("/benchmark/sets/0/task", "ranking"), "must be classification or regression"));
  CHECK(contains(changed("/benchmark/published/0/scores/1", {1}), "rows of equal length"));
  CHECK(contains(changed("/benchmark/published/0/methods", {"forest"}), "a number for each of the methods"));
  CHECK(contains(changed("/timings/benchmark/cars/methods/RFM", {1}), "seconds of the search and of the fits"));
}
