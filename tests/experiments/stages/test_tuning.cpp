// Options chosen on the validation rows: the cell chosen is the one that separate runs would choose.
#include <fmt/format.h>

#include "core/record/json/run_record_json.h"
#include "core/run/run_directory.h"
#include "experiments/stages/selection.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::testing;
using Json = nlohmann::ordered_json;

namespace {

const std::string kConfig = R"(
dataset: {name: low_rank, target: x1x2, dimension: 6, train_size: 80, validation_size: 40, test_size: 40}
network: {hidden_layers: [8], optimizer: {name: adam, learning_rate: 1.0e-2}, batch_size: 20, epochs: 6}
rfm: {iterations: 1}
kernel_machines: [{label: plain}, {label: again, metric: rfm}]
report: false
save: {images: false}
)";

Json run(const Workspace& work, const std::string& name, const std::vector<std::string>& settings) {
  std::vector<std::string> arguments = {"run", "a.yaml", "--out", name, "--quiet"};
  for (const std::string& setting : settings) arguments.insert(arguments.end(), {"--set", setting});
  const ProgramResult result = work.run(arguments);
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  return work.metrics(name);
}

double validation_mse(const Json& models, const std::string& model) {
  return models.at(model).at("validation").at("mse").get<double>();
}

/// Tunes two keys of a model with two values each and compares with a run for each combination. `value`s as YAML.
void check_against_separate_runs(const std::string& model, const std::string& first,
                                 const std::vector<std::string>& first_values, const std::string& second,
                                 const std::vector<std::string>& second_values) {
  const Workspace work;
  work.write("a.yaml", kConfig);
  const auto list = [](const std::vector<std::string>& values) { return "[" + values[0] + ", " + values[1] + "]"; };
  const Json tuned = run(
      work, "tuned", {"tune={" + first + ": " + list(first_values) + ", " + second + ": " + list(second_values) + "}"});
  const Json& cells = tuned.at("tuning").at("cells");
  REQUIRE(cells.size() == 4);
  std::size_t best = 0;
  std::vector<Json> alone;
  for (std::size_t cell = 0; cell < 4; ++cell) {
    alone.push_back(run(work, fmt::format("alone{}", cell),
                        {first + "=" + first_values[cell / 2], second + "=" + second_values[cell % 2]}));
    const double mse = validation_mse(alone[cell].at("models"), model);
    CHECK(cells[cell].at("validation").at("mse").get<double>() == mse);
    if (mse < validation_mse(alone[best].at("models"), model)) best = cell;
  }
  CHECK(tuned.at("tuning").at("chosen_cell").get<std::size_t>() == best);
  CHECK(tuned.at("models") == alone[best].at("models"));
  CHECK(tuned.at("comparisons") == alone[best].at("comparisons"));
  CHECK(tuned.at("timings").at("tuning").size() == 4);
}

Metrics mse(double value) { return {std::nullopt, value, 0}; }
Metrics accuracy(double value, double mse) { return {value, mse, 0}; }

}  // namespace

TEST_CASE("selection: by accuracy, then error, the first of equals, never what has no result") {
  using ansatz::experiments::best_on_validation;
  CHECK(best_on_validation({mse(2), mse(1), mse(1)}) == 1);
  CHECK(best_on_validation({std::nullopt, mse(5)}) == 1);
  CHECK(best_on_validation({accuracy(0.8, 0.1), accuracy(0.9, 0.3), accuracy(0.9, 0.2), accuracy(0.9, 0.2)}) == 2);
  CHECK_FALSE(best_on_validation({std::nullopt, std::nullopt}));
  CHECK_FALSE(best_on_validation({}));
}

TEST_CASE("tuning a kernel machine chooses as separate runs would") {
  check_against_separate_runs("plain", "kernel_machines.0.bandwidth", {"1", "5"}, "kernel_machines.0.ridge",
                              {"0.001", "1"});
}

TEST_CASE("tuning a kernel machine on the RFM's features chooses as separate runs would") {
  check_against_separate_runs("again", "kernel_machines.1.ridge", {"1", "0.01"}, "kernel_machines.1.metric",
                              {"identity", "rfm"});
}

TEST_CASE("tuning an RFM chooses as separate runs would") {
  check_against_separate_runs("rfm", "rfm.iterations", {"1", "3"}, "rfm.ridge", {"3", "0.001"});
}

TEST_CASE("tuning a network chooses as separate runs would") {
  check_against_separate_runs("network", "network.optimizer.learning_rate", {"0.0001", "0.03"}, "network.hidden_layers",
                              {"[4]", "[16]"});
}

TEST_CASE("tuning goes on after an interruption with the cells that are finished") {
  const Workspace work;
  work.write("a.yaml", kConfig + "tune: {rfm.ridge: [1, 0.1, 0.01, 0.001]}\n");
  const Json whole = run(work, "whole", {});
  ProgramLimits limits;
  limits.interrupt_when = "cut/state/tune.1.json";
  REQUIRE(work.run({"run", "a.yaml", "--out", "cut", "--quiet"}, limits).exit_code == 130);
  const double seconds = Json::parse(work.read("cut/state/tune.0.json")).at("value").at("seconds").get<double>();
  const ProgramResult resumed = work.run({"run", "a.yaml", "--out", "cut", "--quiet", "--resume"});
  INFO(resumed.err);
  REQUIRE(resumed.exit_code == 0);
  CHECK(work.metrics("cut").at("timings").at("tuning")[0].get<double>() == seconds);  // not fitted again
  CHECK(work.results("cut") == work.results("whole"));
}

TEST_CASE("tuning is shown on the terminal, in the report and in metrics.json") {
  const Workspace work;
  work.write("a.yaml", kConfig);
  const ProgramResult result =
      work.run({"run", "a.yaml", "--out", "a", "--set", "report=true", "--set", "save.images=true", "--set",
                "tune={rfm.bandwidth: [2, 4, 8], rfm.ridge: {log: [1e-4, 1, 3]}}"});
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::Contains("rfm.bandwidth") && Catch::Contains("  chosen\n"));
  CHECK(std::filesystem::exists(work.path() / "a/images/tuning.svg"));
  CHECK_THAT(work.read("a/images/tuning_map.svg"), Catch::Contains("best"));  // distances from it, not scores
  CHECK_THAT(work.read("a/report.html"), Catch::Contains("Values chosen on validation"));
  CHECK_THAT(work.read("a/config.yaml"), Catch::Contains("log: [1e-04, 1, 3]"));
  const Json metrics = work.metrics("a");
  CHECK(metrics.at("tuning").at("model") == "rfm");
  CHECK(metrics.at("tuning").at("keys")[1].at("values") == Json({0.0001, 0.01, 1.0}));
  const RunRecord record = record_from_json(read_metrics(work.path() / "a"));
  CHECK(to_json(record).at("tuning") == metrics.at("tuning"));
  CHECK(to_json(record).at("timings").at("tuning") == metrics.at("timings").at("tuning"));
  const ProgramResult plan = work.run({"plan", "a.yaml", "--set", "tune={rfm.ridge: [1, 2, 3]}"});
  CHECK_THAT(plan.out, Catch::Contains("tune rfm: 3 cells"));
}

TEST_CASE("a cell that fails is said and not chosen, and a run of such cells fails") {
  const Workspace work;
  work.write("a.yaml", kConfig);
  // So large a learning rate leaves no finite weights.
  const std::string rates = "tune={network.optimizer.name: [sgd], network.optimizer.learning_rate: ";
  const std::vector<std::string> arguments = {"run", "a.yaml", "--out", "a", "--set"};
  const auto with = [&](const std::string& setting) {
    std::vector<std::string> all = arguments;
    all.push_back(setting);
    return all;
  };
  const ProgramResult one = work.run(with(rates + "[1e20, 0.01]}"));
  INFO(one.err);
  REQUIRE(one.exit_code == 0);
  CHECK_THAT(one.err, Catch::Contains("network.optimizer.learning_rate=1e20 fails"));
  CHECK(work.metrics("a").at("tuning").at("chosen_cell") == 1);
  CHECK(work.metrics("a").at("tuning").at("cells")[0].contains("failure"));
  std::filesystem::remove_all(work.path() / "a");
  const ProgramResult none = work.run(with(rates + "[1e20, 1e21]}"));
  CHECK(none.exit_code == 5);
  CHECK_THAT(none.err, Catch::Contains("every cell fails") && Catch::Contains("network.optimizer.learning_rate"));
}
