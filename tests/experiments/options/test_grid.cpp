// Grids of values, and the section `tune` that is made of one.
#include <cmath>

#include "core/base/error.h"
#include "experiments/options/tune_options.h"
#include "experiments/tuning_plan.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::experiments;

namespace {

Grid grid_of(const std::string& yaml, const std::vector<std::string>& overrides = {}) {
  return parse_grid(Config::from_string(yaml, "g.yaml", overrides).section("grid"));
}

std::string grid_error(const std::string& yaml) {
  return message_of<ConfigError>([&] { grid_of("grid: {" + yaml + "}\n"); });
}

const std::string kModels =
    "dataset: {name: low_rank, validation_size: 100}\nnetwork: {epochs: 3}\nrfm: {kernel: laplace, bandwidth: 4}\n"
    "kernel_machines: [{label: plain}, {label: ntk, kernel: ntk}]\n";

struct Tuned {
  FeatureComparisonOptions base;
  std::optional<TuneOptions> tune;
  std::string yaml;
  std::vector<std::string> notes;
};

Tuned tuned(const std::string& section, const std::string& models = kModels) {
  const Config root = Config::from_string(models + section, "t.yaml");
  const CommonOptions common = parse_common(root, "test");
  Tuned result{parse_feature_comparison(root, common), {}, "", {}};
  result.tune = parse_tune(root, result.base);
  root.finish();
  result.yaml = root.resolved_yaml();
  result.notes = root.notes();
  return result;
}

std::string tune_error(const std::string& axes) {
  return message_of<ConfigError>([&] { tuned("tune: {" + axes + "}\n"); });
}

}  // namespace

TEST_CASE("grid: lists, logarithmic and linear axes") {
  const Grid grid = grid_of(
      "grid:\n  a.x: [1, ntk, [64, 32]]\n  a.y: {log: [1e-6, 1, 7]}\n  a.z: {linear: [0, 1, 5]}\n  a.w: {log: [100, 1, "
      "2]}\n");
  REQUIRE(grid.axes.size() == 4);
  CHECK(grid.axes[0].values == std::vector<std::string>{"1", "ntk", "[64, 32]"});
  CHECK(grid.axes[1].values == std::vector<std::string>{"1e-06", "1e-05", "0.0001", "0.001", "0.01", "0.1", "1"});
  CHECK(grid.axes[2].values == std::vector<std::string>{"0", "0.25", "0.5", "0.75", "1"});
  CHECK(grid.axes[3].values == std::vector<std::string>{"100", "1"});
  CHECK(grid.axes[1].logarithmic);
  CHECK_FALSE(grid.axes[2].logarithmic);
  CHECK(grid.cells() == 3 * 7 * 5 * 2);
}

TEST_CASE("grid: every cell is one combination, the last axis fastest") {
  const Grid grid = grid_of("grid: {a: [1, 2], b: [x, y, z]}\n");
  CHECK(grid.cells() == 6);
  CHECK(grid.values(0) == std::vector<std::string>{"1", "x"});
  CHECK(grid.values(2) == std::vector<std::string>{"1", "z"});
  CHECK(grid.values(3) == std::vector<std::string>{"2", "x"});
  CHECK(grid.assignments(5) == std::vector<std::string>{"a=2", "b=z"});
  CHECK(grid.describe(5) == "a=2, b=z");
}

TEST_CASE("grid: an override replaces, adds and removes an axis") {
  const std::string yaml = "grid: {rfm.ridge: [1], rfm.bandwidth: [2, 3]}\n";
  CHECK(grid_of(yaml, {"grid.rfm.ridge=[4, 5]"}).axes[0].values == std::vector<std::string>{"4", "5"});
  CHECK(grid_of(yaml, {"grid.rfm.ridge={log: [1, 4, 3]}"}).axes[0].values == std::vector<std::string>{"1", "2", "4"});
  CHECK(grid_of(yaml, {"grid.rfm.ridge=null"}).cells() == 2);
  const Grid more = grid_of(yaml, {"grid.rfm.depth=[1, 2]"});
  REQUIRE(more.axes.size() == 3);
  CHECK(more.axes[2].key == "rfm.depth");
}

TEST_CASE("grid: what is no axis is refused at its place") {
  CHECK(grid_error("a: 5") ==
        "g.yaml:1:11: grid.a: must be a list of values, {log: [first, last, count]} or {linear: [first, last, count]}");
  CHECK(grid_error("a: []") == "g.yaml:1:11: grid.a: holds no value");
  CHECK_THAT(grid_error(""), Catch::Contains("grid: names no key"));
  CHECK_THAT(grid_error("a: {log: [1, 2]}"), Catch::Contains("grid.a.log: must be [first, last, count]"));
  CHECK_THAT(grid_error("a: {log: [0, 2, 3]}"), Catch::Contains("grid.a.log.0: must be at least 1e-30, is 0"));
  CHECK_THAT(grid_error("a: {log: [1, 2, 1]}"), Catch::Contains("count must be an integer from 2"));
  CHECK_THAT(grid_error("a: {log: [1, 2, 2.5]}"), Catch::Contains("count must be an integer from 2"));
  CHECK_THAT(grid_error("a: {linear: [1, 1, 3]}"), Catch::Contains("must differ"));
  CHECK_THAT(grid_error("a: {log: [1, 2, 3], linear: [1, 2, 3]}"), Catch::Contains("log or linear, not both"));
  CHECK_THAT(grid_error("rfm.a: [1], rfm: {a: [2]}"), Catch::Contains("rfm.a is there twice"));
  CHECK_THAT(grid_error("a: {linear: [1, 2, 101]}, b: {linear: [1, 2, 100]}"), Catch::Contains("has 10100 cells"));
}

TEST_CASE("tune: every cell is the config with its values") {
  const Tuned result = tuned("tune: {rfm.bandwidth: [1, 2], rfm.ridge: {log: [0.01, 1, 3]}}\n");
  REQUIRE(result.tune);
  CHECK(result.tune->model() == "rfm");
  REQUIRE(result.tune->cells.size() == 6);
  CHECK(result.tune->cells[4].rfm->kernel.bandwidth == 2);
  CHECK(result.tune->cells[4].rfm->solver.ridge == 0.1);
  CHECK(result.tune->cells[4].network->training.epochs == 3);
  CHECK(result.base.rfm->kernel.bandwidth == 4);
  CHECK_THAT(result.yaml, Catch::Contains("tune:\n  rfm.bandwidth: [1, 2]\n  rfm.ridge:\n    log: [0.01, 1, 3]\n"));
  const Tuned again = tuned("", result.yaml);  // config.yaml gives the same run
  CHECK(again.yaml == result.yaml);
  CHECK(again.tune->cells[5].rfm->solver.ridge == 1);
  CHECK_FALSE(tuned("").tune);
}

TEST_CASE("tune: kernel machines by label or number, networks too") {
  for (const std::string name : {"ntk", "1"}) {
    const Tuned result = tuned("tune: {kernel_machines." + name + ".depth: [1, 2, 3]}\n");
    CHECK(result.tune->model() == "ntk");
    CHECK(result.tune->machine == 1);
    CHECK(result.tune->cells[2].kernel_machines[1].kernel.depth == 3);
    CHECK(result.tune->cells[2].kernel_machines[0].kernel.depth == 1);
  }
  const Tuned network =
      tuned("tune: {network.optimizer.learning_rate: [0.1, 1], network.hidden_layers: [[8], [8, 8]]}\n");
  CHECK(network.tune->model() == "network");
  CHECK(network.tune->cells[3].network->architecture.hidden_layers == std::vector<Index>{8, 8});
  CHECK(network.tune->cells[3].network->training.optimizer.learning_rate == 1);
}

TEST_CASE("tune: a kernel's keys that a tuned kernel lacks are left out with a note") {
  const Tuned result = tuned("tune: {rfm.kernel: [laplace, ntk]}\n");
  CHECK(result.tune->cells[0].rfm->kernel.bandwidth == 4);
  REQUIRE(result.notes.size() == 1);
  CHECK_THAT(result.notes[0], Catch::Contains("rfm.bandwidth is not used by kernel: ntk"));
}

TEST_CASE("tune: what cannot be tuned is refused before anything runs, naming the cell") {
  CHECK(tune_error("rfm.ridge: [1, -1]") ==
        "t.yaml:5:7: tune: rfm.ridge: must be at least 0, is -1 (with rfm.ridge=-1)");
  CHECK_THAT(tune_error("rfm.bandwith: [1]"), Catch::Contains("rfm.bandwith: unknown key; did you mean bandwidth?"));
  CHECK_THAT(tune_error("rfm.exponent: [1.5, 2]"), Catch::Contains("is not used by kernel: laplace"));
  CHECK_THAT(tune_error("dataset.seed: [1]"), Catch::Contains("dataset.seed belongs to no model"));
  CHECK_THAT(tune_error("rfm.ridge: [1], network.epochs: [1]"), Catch::Contains("keys of rfm and of network"));
  CHECK_THAT(tune_error("kernel_machines.0.ridge: [1], kernel_machines.ntk.ridge: [1]"),
             Catch::Contains("keys of kernel_machines.0 and of kernel_machines.1"));
  CHECK_THAT(tune_error("kernel_machines.other.ridge: [1]"),
             Catch::Contains("names none of the kernel machines: plain, ntk"));
  CHECK_THAT(tune_error("kernel_machines.0.label: [a, b]"), Catch::Contains("is a name"));
  const auto only = [](const std::string& models, const std::string& axes) {
    return message_of<ConfigError>([&] { tuned("tune: {" + axes + "}\n", "dataset: {name: low_rank}\n" + models); });
  };
  CHECK_THAT(only("network: {}\n", "rfm.ridge: [1]"), Catch::Contains("there is no section rfm"));
  CHECK_THAT(only("rfm: {}\n", "network.epochs: [1]"), Catch::Contains("none is trained"));
  CHECK_THAT(only("rfm: {}\nunknown: 1\n", "rfm.ridge: [-1]"), Catch::Contains("unknown: unknown key"));
}

TEST_CASE("tune: the plan counts every cell and needs validation rows") {
  const Tuned result = tuned("tune: {rfm.ridge: [1, 2, 3], rfm.iterations: [1, 2]}\n");
  const Plan plan = plan_tuned(result.base, *result.tune);
  const Plan one = plan_feature_comparison(result.tune->cells.back());
  CHECK(plan.stages.size() == one.stages.size() + 1);
  CHECK(plan.stages[1].name == "tune rfm: 6 cells");
  double flops = 0;
  for (const PlannedStage& stage : one.stages)
    if (stage.name.rfind("rfm", 0) == 0) flops += stage.cost.flops;
  CHECK(flops > 0);
  CHECK(plan.stages[1].cost.flops > 4 * flops);  // half of the cells make one update less
  CHECK(plan.stages[1].cost.flops < 6 * flops);
  const Tuned without = tuned("tune: {rfm.ridge: [1]}\n", "dataset: {name: low_rank}\nrfm: {}\n");
  CHECK_THAT(message_of<ConfigError>([&] { plan_tuned(without.base, *without.tune); }),
             Catch::Contains("dataset.validation_size"));
}

TEST_CASE("grid: a value or a key that is there twice is refused, and whole numbers stay what they are") {
  CHECK(contains(grid_error("a: [5, 5.0, 7]"), "holds 5.0 twice"));
  CHECK(contains(grid_error("a: [x, y, x]"), "holds x twice"));
  CHECK(contains(grid_error("a: {linear: [0.5, 0.500001, 5]}"), "twice (its values are too close together)"));
  CHECK(grid_of("grid: {a: {linear: [1000001, 1000003, 3]}, b: {log: [1, 1.0e+6, 3]}}\n").axes[0].values ==
        std::vector<std::string>{"1000001", "1000002", "1000003"});
  CHECK(contains(tune_error("kernel_machines.0.ridge: [1, 2], kernel_machines.plain.ridge: [3]"),
                 "kernel_machines.0.ridge is there twice"));
}

TEST_CASE("tune: a random search draws its cells, the first ones the same whatever their number", "[tune]") {
  const auto search = [](const std::string& trials) {
    return grid_of("grid: {search: random, trials: " + trials +
                   ", b: {log_uniform: [0.5, 200]}, e: {uniform: [0.7, 1.4]}, n: {uniform: [e, 2]}, "
                   "shape: [full, diagonal]}\n");
  };
  const Grid few = search("20"), many = search("400");
  REQUIRE(few.cells() == 20);
  REQUIRE(many.cells() == 400);
  double logs = 0, below_ten = 0, full = 0;
  for (Index cell = 0; cell < 400; ++cell) {
    const std::vector<std::string> values = many.values(cell);
    if (cell < 20) CHECK(values == few.values(cell));
    const double b = std::stod(values[0]), e = std::stod(values[1]), n = std::stod(values[2]);
    CHECK((b >= 0.5 && b <= 200 && e >= 0.7 && e <= 1.4 && n >= e && n <= 2));
    logs += std::log(b) / 400;
    below_ten += b < 10;
    full += values[3] == "full";
  }
  // Of 400 draws: the mean of log b is that of a uniform law from log 0.5 to log 200, within four standard errors.
  CHECK(logs == Approx((std::log(0.5) + std::log(200.0)) / 2).margin(4 * std::log(400.0) / std::sqrt(12 * 400.0)));
  CHECK(below_ten == Approx(400 * std::log(20.0) / std::log(400.0)).margin(40));
  CHECK(full == Approx(200).margin(40));
  CHECK(many.axes[0].values.size() > 390);
  CHECK(many.axes[3].values == std::vector<std::string>{"full", "diagonal"});
  CHECK(many.assignments(7)[0] == "b=" + many.values(7)[0]);
}

TEST_CASE("tune: what a random search cannot draw is refused", "[tune]") {
  CHECK_THAT(grid_error("search: random, trials: 5, shape: [full, diagonal]"), Catch::Contains("only 2 different"));
  CHECK_THAT(grid_error("search: random, b: {uniform: [2, 1]}"), Catch::Contains("grid.b: nothing can be drawn"));
  CHECK_THAT(grid_error("search: random, b: {log_uniform: [0, 1]}"), Catch::Contains("logarithm"));
  CHECK_THAT(grid_error("search: random, b: {uniform: [c, 2]}, c: [1, 3]"), Catch::Contains("stands before"));
  CHECK_THAT(grid_error("search: random, b: {uniform: [1, 2, 3]}"), Catch::Contains("[low, high]"));
  CHECK_THAT(grid_error("b: {uniform: [1, 2]}"), Catch::Contains("search: random"));
  CHECK_THAT(grid_error("search: random"), Catch::Contains("names no key"));
  CHECK(grid_of("grid: {search: random, trials: 3, seed: 1, b: {uniform: [1, 2]}}\n").values(0) !=
        grid_of("grid: {search: random, trials: 3, seed: 2, b: {uniform: [1, 2]}}\n").values(0));
}
