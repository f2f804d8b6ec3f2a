// The section `sweep`: which cells there are, and what each one's config is.
#include "core/base/error.h"
#include "core/machine/parallel.h"
#include "experiments/cli/registry.h"
#include "experiments/sweeps/slurm_script.h"
#include "experiments/sweeps/sweep_config.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;
using namespace ansatz::experiments;

namespace {

const std::string kBase =
    "name: s\ndataset: {name: low_rank, dimension: 6, train_size: 40, validation_size: 20, test_size: 20}\n"
    "rfm: {kernel: laplace, bandwidth: 4, ridge: 0.1, iterations: 1}\n";

CheckedConfig check(const Config& config, const std::string& name) {
  CommonOptions common = parse_common(config, name);
  const PreparedExperiment prepared = find_experiment(config, common.experiment).prepare(config, common);
  config.finish();
  return {common, config.resolved_yaml(), prepared.plan};
}

SweepConfig sweep_of(const std::string& section, const std::vector<std::string>& frozen = {}) {
  return parse_sweep(Config::from_string(kBase + section, "s.yaml"), "s", frozen, check);
}

std::string error_of(const std::string& section) {
  return message_of<ConfigError>([&] { sweep_of(section); });
}

}  // namespace

TEST_CASE("sweep: every combination is a cell, the last key running fastest") {
  const SweepConfig sweep = sweep_of("sweep: {rfm.ridge: {log: [0.01, 1, 3]}, rfm.bandwidth: [1, 2]}\n");
  REQUIRE(sweep.cells.size() == 6);
  CHECK(sweep.cells[0].label == "000");
  CHECK(sweep.cells[3].values == "rfm.ridge=0.1, rfm.bandwidth=2");
  CHECK(sweep.places[3] == std::vector<std::size_t>{1, 1});
  CHECK(sweep.axes[0].logarithmic);
  for (const char* line : {"name: s-003\n", "  ridge: 0.1\n", "  bandwidth: 2\n", "report: false\n"})
    CHECK_THAT(sweep.cells[3].config.yaml, Catch::Contains(line));
  CHECK_THAT(sweep.cells[3].config.yaml, !Catch::Contains("sweep"));
  CHECK_THAT(sweep.whole.yaml, Catch::Contains("sweep:\n  rfm.ridge:\n    log: [0.01, 1, 3]\n"));
}

TEST_CASE("sweep: seeds, words, truths, lists, and keys that change together") {
  CHECK(sweep_of("sweep: {seed: [3, 4, 5]}\n").cells[1].config.common.seed == 4);
  CHECK(sweep_of("sweep: {rfm.kernel: [laplace, gaussian], rfm.center_gradients: [false, true]}\n").cells.size() == 4);
  CHECK_THAT(sweep_of("network: {}\nsweep: {network.hidden_layers: [[64], [128, 128]]}\n").cells[1].config.yaml,
             Catch::Contains("hidden_layers: [128, 128]"));
  const SweepConfig joint =
      sweep_of("sweep: {\"dataset.train_size, rfm.bandwidth\": [[30, 1], [50, 2]], rfm.ridge: [0, 1]}\n");
  REQUIRE(joint.cells.size() == 4);
  CHECK(joint.axes[0].keys == std::vector<std::string>{"dataset.train_size", "rfm.bandwidth"});
  CHECK(joint.cells[2].values == "dataset.train_size=50, rfm.bandwidth=2, rfm.ridge=0");
  CHECK(joint.cells[2].plan.size.train == 50);
  CHECK_THAT(error_of("sweep: {\"rfm.ridge, rfm.bandwidth\": [[1, 2], [3]]}\n"), Catch::Contains("list of as many"));
}

TEST_CASE("sweep: a value that a cell refuses is an error that names the cell") {
  const std::string error = error_of("sweep: {rfm.ridge: [1, -1]}\n");
  CHECK_THAT(error, Catch::Contains("must be at least 0, is -1") && Catch::Contains("(cell 001: rfm.ridge=-1)"));
  CHECK_THAT(error_of("sweep: {rfm.rigde: [1]}\n"), Catch::Contains("rigde") && Catch::Contains("cell 000"));
  CHECK_THAT(error_of("sweep: {name: [a, b]}\n"), Catch::Contains("name cannot be swept"));
  CHECK_THAT(error_of("sweep: {rfm.ridge: [1], \"rfm.ridge, rfm.bandwidth\": [[1, 2]]}\n"),
             Catch::Contains("rfm.ridge is there twice"));
  CHECK_THAT(error_of(""), Catch::Contains("has no section sweep"));
}

TEST_CASE("sweep: threads of a cell do not depend on how many run at a time, and are fixed in its config") {
  const SweepConfig sweep = sweep_of("threads: 3\nsweep: {rfm.ridge: [0, 1]}\n");
  CHECK(sweep.cells[0].config.common.threads == 3);
  const SweepConfig open = sweep_of("sweep: {seed: [0, 1, 2, 3, 4, 5, 6, 7]}\n");
  CHECK(open.cells[0].config.common.threads == std::max(1, threads() / std::min(8, threads())));
  CHECK(cells_at_once(open, 5) == 5);
  CHECK(cells_at_once(open, 0) >= 1);
}

TEST_CASE("sweep: cells that are fixed already are taken as they are") {
  const std::string section = "sweep: {rfm.ridge: [0, 1]}\n";
  std::vector<std::string> frozen;
  for (const CellConfig& cell : sweep_of(section).cells) frozen.push_back(cell.config.yaml);
  const SweepConfig again = sweep_of(section, frozen);
  for (std::size_t i = 0; i < frozen.size(); ++i) CHECK(again.cells[i].config.yaml == frozen[i]);
}

TEST_CASE("sweep: the request to SLURM is that of the largest cell, with margin") {
  const SweepConfig sweep = sweep_of("repeats: 2\nthreads: 2\nsweep: {dataset.train_size: [40, 400]}\n");
  const double flops = 2 * sweep.cells[1].plan.flops(), bytes = sweep.cells[1].plan.peak_bytes();
  const SlurmRequest request = slurm_request(sweep, flops / 2);  // a second on two threads
  CHECK(request.seconds == Approx(4 * 1 + 600));
  CHECK(request.threads == 2);
  CHECK(request.tasks == 2);
  CHECK(request.bytes >= 1.25 * bytes + 256e6);
  CHECK(request.bytes <= 1.25 * bytes + 320e6);
}

TEST_CASE("sweep: the script of the array job") {
  const SweepConfig sweep = sweep_of("sweep: {rfm.ridge: [0, 1, 2]}\n");
  const SlurmRequest request{90000, 1.5e9, 4, 3, 1};
  const std::string script = slurm_script(sweep, request, "/opt/ansatz", "/data/my sweep %1", 2);
  CHECK(script.rfind("#!/bin/bash\n", 0) == 0);
  for (const char* line :
       {"#SBATCH --job-name=\"s\"\n", "#SBATCH --array=0-2%2\n", "#SBATCH --ntasks=1 --cpus-per-task=4\n",
        "#SBATCH --mem=1500M\n", "#SBATCH --time=1-01:00:00\n", "#SBATCH --requeue --open-mode=append\n",
        "#SBATCH --signal=USR1@120\n", "#SBATCH --output=\"/data/my sweep %%1/logs/%a.log\"\n",
        "cd '/data/my sweep %1' || exit 2\n", "/opt/ansatz run \"cells/$label.yaml\" --out \"cells/$label\" --resume",
        "scontrol requeue", "printf '%03d'"})
    CHECK_THAT(script, Catch::Contains(line));
  CHECK_THAT(slurm_script(sweep, request, "/opt/ansatz", "/d", 0), Catch::Contains("--array=0-2\n"));
  CHECK_THAT(slurm_script(sweep, {600, 1e9, 1, 3, 1}, "/opt/ansatz", "/d", 0), Catch::Contains("--time=00:10:00\n"));
}
