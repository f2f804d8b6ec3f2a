// `ansatz sweep` as its users call it.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "tests/experiments/program.h"
#include "tests/support/catch.h"

using namespace ansatz::testing;
namespace fs = std::filesystem;

namespace {

const std::string kBase =
    "threads: 1\nreport: false\n"
    "dataset: {name: low_rank, dimension: 6, train_size: 60, validation_size: 30, test_size: 40}\n"
    "rfm: {kernel: laplace, bandwidth: 4, ridge: 0.1, iterations: 1}\n"
    "save: {images: false, models: false, feature_matrices: none, predictions: false}\n";
const std::string kSweep = kBase + "repeats: 2\nsweep: {rfm.ridge: {log: [0.01, 1, 3]}, rfm.bandwidth: [2, 8]}\n";
/// The network of cell 001 diverges.
const std::string kFailing =
    kBase +
    "network: {hidden_layers: [8], epochs: 3, batch_size: full, optimizer: {name: sgd, learning_rate: 0.1}}\n"
    "sweep: {network.optimizer.learning_rate: [0.1, 1.0e+25, 0.2]}\n";

ProgramResult sweep(const Workspace& work, std::vector<std::string> arguments, ProgramLimits limits = {}) {
  arguments.insert(arguments.begin(), "sweep");
  arguments.emplace_back("--quiet");
  limits.own_process = true;  // which starts others like it
  return work.run(arguments, limits);
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  return cells;
}

/// sweep.csv without the seconds, a list of cells a row, the header first.
std::vector<std::vector<std::string>> table(const Workspace& work, const std::string& folder) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(work.read(folder + "/sweep.csv"));
  std::size_t seconds = 0;
  for (std::string line; std::getline(lines, line);) {
    rows.push_back(cells_of(line));
    if (rows.size() == 1)
      seconds = static_cast<std::size_t>(std::find(rows[0].begin(), rows[0].end(), "seconds") - rows[0].begin());
    rows.back().erase(rows.back().begin() + static_cast<long>(seconds));
  }
  return rows;
}

std::string column(const std::vector<std::vector<std::string>>& rows, std::size_t row, const std::string& name) {
  const auto at = std::find(rows.front().begin(), rows.front().end(), name);
  REQUIRE(at != rows.front().end());
  return rows.at(row).at(static_cast<std::size_t>(at - rows.front().begin()));
}

}  // namespace

TEST_CASE("a sweep runs every cell and leaves one tidy table", "[sweep]") {
  const Workspace work;
  work.write("s.yaml", kSweep);
  REQUIRE(sweep(work, {"s.yaml", "--jobs", "2", "--out", "two"}).exit_code == 0);
  REQUIRE(sweep(work, {"s.yaml", "--jobs", "1", "--out", "one"}).exit_code == 0);
  const auto rows = table(work, "two");
  REQUIRE(rows.size() == 1 + 6 * 2);
  CHECK(rows == table(work, "one"));
  CHECK(work.results("one").at("sweep") == work.results("two").at("sweep"));
  CHECK(rows[0][0] == "cell");
  CHECK(column(rows, 4, "cell") == "1");
  CHECK(column(rows, 4, "seed") == "1");
  CHECK(column(rows, 4, "rfm.ridge") == "0.01");
  CHECK(column(rows, 4, "rfm.bandwidth") == "8");
  CHECK(column(rows, 4, "status") == "done");
  const auto run = work.metrics("two/cells/001/repeat-2").at("models").at("rfm").at("test");
  CHECK(std::stod(column(rows, 4, "models.rfm.test.mse")) == run.at("mse").get<double>());

  const auto cell = work.metrics("two").at("sweep").at("cells").at(1);
  CHECK(cell.at("values").at("rfm.ridge").get<double>() == 0.01);
  const auto mse = cell.at("numbers").at("models.rfm.test.mse");
  const double a = mse.at("values").at(0), b = mse.at("values").at(1);
  CHECK(mse.at("mean").get<double>() == Approx((a + b) / 2));
  CHECK(mse.at("standard_error").get<double>() == Approx(std::abs(a - b) / 2));
  CHECK(fs::exists(work.path() / "two/images/sweep.scores.svg"));

  // A cell alone is an ordinary run with the same numbers.
  REQUIRE(work.run({"run", "two/cells/001.yaml", "--out", "alone", "--quiet"}).exit_code == 0);
  CHECK(work.results("alone") == work.results("two/cells/001"));
  CHECK(work.run({"report", "two/cells/001"}).exit_code == 0);
  CHECK(work.run({"report", "two"}).exit_code == 0);
  CHECK_THAT(work.read("two/report.html"), Catch::Contains("Cell by cell"));
  CHECK_THAT(work.run({"compare", "two", "alone"}).err, Catch::Contains("two: is a sweep; name runs of it"));
}

TEST_CASE("a sweep is fixed when it begins, and goes on with what is not done", "[sweep]") {
  const Workspace work;
  work.write("s.yaml", kSweep);
  REQUIRE(sweep(work, {"s.yaml", "--out", "s"}).exit_code == 0);
  const std::string csv = work.read("s/sweep.csv");
  CHECK_THAT(sweep(work, {"s.yaml", "--out", "s"}).err, Catch::Contains("s exists; choose another --out"));
  fs::remove_all(work.path() / "s/cells/002");
  const auto before = fs::last_write_time(work.path() / "s/cells/001/metrics.json");
  REQUIRE(sweep(work, {"s"}).exit_code == 0);
  CHECK(fs::last_write_time(work.path() / "s/cells/001/metrics.json") == before);
  CHECK(fs::exists(work.path() / "s/cells/002/metrics.json"));

  work.write("s.yaml", kSweep + "seed: 7\n");
  const ProgramResult changed = sweep(work, {"s.yaml", "--out", "s", "--resume"});
  CHECK(changed.exit_code == 2);
  CHECK_THAT(changed.err, Catch::Contains("s/config.yaml:") && Catch::Contains("needs the same config"));
  work.write("s/cells/001.yaml", work.read("s/cells/001.yaml") + "\n");
  CHECK_THAT(sweep(work, {"s"}).err, Catch::Contains("a cell's config was changed after the sweep began"));
}

TEST_CASE("a cell that fails is said, the others go on, and it is tried again", "[sweep]") {
  const Workspace work;
  work.write("s.yaml", kFailing);
  const ProgramResult result = sweep(work, {"s.yaml", "--out", "s"});
  CHECK(result.exit_code == 5);
  CHECK_THAT(result.err, Catch::Contains("1 of 3 cells have failed: 001") &&
                             Catch::Contains("network.optimizer.learning_rate=1") &&
                             Catch::Contains("`ansatz resume s` tries again"));
  const auto rows = table(work, "s");
  REQUIRE(rows.size() == 4);
  CHECK(column(rows, 1, "status") == "done");
  CHECK(column(rows, 2, "status") == "failed");
  CHECK(column(rows, 2, "models.rfm.test.mse").empty());
  CHECK(column(rows, 3, "status") == "done");
  CHECK(work.metrics("s").at("sweep").at("cells").at(1).at("runs").at(0).at("failure").get<std::string>().size() > 5);
  CHECK(work.run({"report", "s"}).exit_code == 0);
  CHECK_THAT(work.read("s/report.html"), Catch::Contains("1 of 3 cells failed"));
  const ProgramResult again = sweep(work, {"s"});
  CHECK(again.exit_code == 5);
  CHECK(table(work, "s") == rows);
}

TEST_CASE("a sweep that is interrupted goes on to the same numbers", "[sweep]") {
  const Workspace work;
  work.write("s.yaml", kSweep);
  REQUIRE(sweep(work, {"s.yaml", "--out", "whole"}).exit_code == 0);
  ProgramLimits limits;
  limits.interrupt_when = "cut/cells/001/metrics.json";
  limits.signal = SIGTERM;
  const ProgramResult cut = sweep(work, {"s.yaml", "--jobs", "1", "--out", "cut"}, limits);
  REQUIRE(cut.exit_code == 130);
  CHECK_THAT(cut.err, Catch::Contains("resume cut"));
  CHECK_FALSE(fs::exists(work.path() / "cut/cells/005/metrics.json"));
  limits = {};
  limits.own_process = true;
  REQUIRE(work.run({"resume", "cut", "--quiet"}, limits).exit_code == 0);
  CHECK(table(work, "cut") == table(work, "whole"));
}

TEST_CASE("what cannot be run is refused before anything is", "[sweep]") {
  const Workspace work;
  work.write("s.yaml", kBase + "sweep: {rfm.ridge: [1, -1]}\n");
  CHECK(sweep(work, {"s.yaml", "--out", "s"}).exit_code == 2);
  work.write("large.yaml", kBase + "sweep: {dataset.train_size: [100, 100000000]}\n");
  const ProgramResult large = sweep(work, {"large.yaml", "--out", "s"});
  CHECK(large.exit_code == 4);
  CHECK_THAT(large.err, Catch::Contains("this run needs about") && Catch::Contains("(cell 001: dataset.train_size="));
  CHECK_FALSE(fs::exists(work.path() / "s"));
  CHECK_THAT(work.run({"run", "large.yaml", "--out", "s"}).err, Catch::Contains("`ansatz sweep large.yaml`"));
  CHECK(work.run({"run", "large.yaml", "--out", "alone", "--quiet", "--set", "sweep=null"}).exit_code == 0);
  CHECK_THAT(sweep(work, {"alone"}).err, Catch::Contains("no sweep is there"));
  work.write("good.yaml", kSweep);
  const ProgramResult plan = work.run({"plan", "good.yaml"});
  CHECK(plan.exit_code == 0);
  CHECK_THAT(plan.out, Catch::Contains("rfm.ridge=0.01, rfm.bandwidth=8") && Catch::Contains("6 cells, 12 runs"));
}

TEST_CASE("an array job leaves what --collect gathers, also when some of it is missing", "[sweep]") {
  const Workspace work;
  work.write("s.yaml", kSweep);
  REQUIRE(sweep(work, {"s.yaml", "--slurm", "--out", "s"}).exit_code == 0);
  CHECK_FALSE(fs::exists(work.path() / "s/cells/000"));
  CHECK_THAT(work.read("s/sweep.sbatch"), Catch::Contains("--array=0-5\n"));
  // What a task does, with a stand-in for srun.
  fs::create_directories(work.path() / "bin");
  fs::permissions(work.write("bin/srun", "#!/bin/bash\nshift\n\"$@\"\n"), fs::perms::owner_all);
  const auto task = [&](int id) {
    return std::system(("PATH='" + (work.path() / "bin").string() +
                        "':$PATH SLURM_CPUS_PER_TASK=1 SLURM_ARRAY_TASK_ID=" + std::to_string(id) + " bash '" +
                        (work.path() / "s/sweep.sbatch").string() + "'")
                           .c_str());
  };
  for (const int id : {0, 1, 3, 4, 5}) CHECK(task(id) == 0);
  const ProgramResult some = work.run({"sweep", "s", "--collect"});
  CHECK(some.exit_code == 0);
  CHECK_THAT(some.err, Catch::Contains("1 of 6 cells is missing: 002"));
  CHECK(column(table(work, "s"), 5, "status") == "missing");
  CHECK(task(2) == 0);
  const ProgramResult all = work.run({"sweep", "s", "--collect"});
  CHECK(all.exit_code == 0);
  CHECK(all.err.empty());
  REQUIRE(sweep(work, {"s.yaml", "--out", "local"}).exit_code == 0);
  CHECK(table(work, "s") == table(work, "local"));
}

TEST_CASE("a real cluster runs the array job", "[sweep]") {
  if (std::system("sinfo -h -t idle -o %n 2>/dev/null | grep -q .") != 0) {
    WARN("skipped: no SLURM with an idle node (scripts/slurm_localhost start)");
    return;
  }
  const Workspace work;
  work.write("s.yaml", kSweep);
  REQUIRE(sweep(work, {"s.yaml", "--slurm", "--out", "s"}).exit_code == 0);
  CHECK(std::system(("sbatch --wait '" + (work.path() / "s/sweep.sbatch").string() + "'").c_str()) == 0);
  const ProgramResult all = work.run({"sweep", "s", "--collect"});
  INFO(work.read("s/logs/0.log"));
  CHECK(all.exit_code == 0);
  CHECK(all.err.empty());
  CHECK(table(work, "s").size() == 13);
}
