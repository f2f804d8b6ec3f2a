#include <random>

#include "tests/experiments/program.h"
#include "tests/support/catch.h"

using ansatz::testing::ProgramLimits;
using ansatz::testing::ProgramResult;
using ansatz::testing::Workspace;

namespace {

// Long enough (about two seconds) that kills fall into every stage, Adam so that optimiser buffers matter.
const char* const kConfig = R"(
dataset: {name: low_rank, target: x1x2, dimension: 20, train_size: 400, validation_size: 200, test_size: 200}
network: {hidden_layers: [128, 128], optimizer: {name: adam, learning_rate: 1.0e-3}, batch_size: 32, epochs: 60}
rfm: {kernel: laplace, ridge: 1.0e-3, iterations: 4}
kernel_machines: [{label: ntk, kernel: ntk, depth: 2}, {label: laplace}]
save: {feature_matrices: all}
)";

std::vector<std::string> files_below(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) names.push_back(std::filesystem::relative(entry.path(), folder).string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

TEST_CASE("a run killed at ten random moments and resumed gives the numbers of an unbroken one") {
  const Workspace work;
  work.write("a.yaml", kConfig);
  const ProgramResult whole = work.run({"run", "a.yaml", "--out", "whole", "--quiet"});
  REQUIRE(whole.exit_code == 0);
  const auto expected = work.results("whole");
  std::mt19937 random(7);
  const int duration_ms = static_cast<int>(1000 * whole.seconds);
  for (int trial = 0; trial < 10; ++trial) {
    // A run that was done before its kill (a busy machine slows runs unevenly) is cut off earlier, in a folder of its
    // own.
    ProgramLimits limits;
    limits.kill_after_ms = std::uniform_int_distribution<int>(duration_ms / 10, duration_ms)(random);
    std::string out = "killed-" + std::to_string(trial);
    while (work.run({"run", "a.yaml", "--out", out, "--quiet"}, limits).exit_code != 128 + 9) {
      limits.kill_after_ms /= 2;
      out += "-earlier";
      REQUIRE(limits.kill_after_ms > 0);
    }
    const ProgramResult resumed = work.run({"run", "a.yaml", "--out", out, "--quiet", "--resume"});
    INFO("killed after " << limits.kill_after_ms << " of " << duration_ms << " ms; " << resumed.err);
    REQUIRE(resumed.exit_code == 0);
    CHECK(work.results(out) == expected);
    for (const char* file : {"matrices/rfm.M4.npy", "matrices/network.nfm.npy", "predictions/network.test.npy",
                             "predictions/ntk.test.npy"}) {
      CHECK(work.read(out + "/" + file) == work.read(std::string("whole/") + file));
    }
    CHECK(files_below(work.path() / out) == files_below(work.path() / "whole"));
  }
}

TEST_CASE("an interrupted run exits with 130, keeps its state and goes on") {
  const Workspace work;
  work.write("a.yaml", kConfig);
  REQUIRE(work.run({"run", "a.yaml", "--out", "whole", "--quiet"}).exit_code == 0);
  ProgramLimits limits;
  limits.interrupt_when = "cut/history.csv";
  const ProgramResult cut =
      work.run({"run", "a.yaml", "--out", "cut", "--quiet", "--set", "network.epochs=60"}, limits);
  REQUIRE(cut.exit_code == 130);
  CHECK(cut.err.find("--resume") != std::string::npos);
  CHECK(std::filesystem::exists(work.path() / "cut/state"));
  REQUIRE(work.run({"run", "a.yaml", "--out", "cut", "--quiet", "--resume"}).exit_code == 0);
  CHECK(work.results("cut") == work.results("whole"));
  CHECK_FALSE(std::filesystem::exists(work.path() / "cut/state"));
}

TEST_CASE("resuming with another config is refused") {
  const Workspace work;
  work.write("a.yaml", kConfig);
  ProgramLimits limits;
  limits.interrupt_when = "cut/history.csv";
  REQUIRE(work.run({"run", "a.yaml", "--out", "cut", "--quiet"}, limits).exit_code == 130);
  const ProgramResult other = work.run({"run", "a.yaml", "--out", "cut", "--quiet", "--resume", "--set", "seed=5"});
  CHECK(other.exit_code == 2);
  CHECK(other.err.find("seed") != std::string::npos);
}

TEST_CASE("the same config twice gives the same bytes, timings apart") {
  const Workspace work;
  work.write("a.yaml", kConfig);
  REQUIRE(work.run({"run", "a.yaml", "--out", "one", "--quiet"}).exit_code == 0);
  REQUIRE(work.run({"run", "a.yaml", "--out", "two", "--quiet"}).exit_code == 0);
  CHECK(work.results("one").dump() == work.results("two").dump());
  const auto files = files_below(work.path() / "one/matrices");
  CHECK(files.size() > 10);
  for (const std::string& file : files) CHECK(work.read("one/matrices/" + file) == work.read("two/matrices/" + file));
  CHECK(work.read("one/config.yaml") == work.read("two/config.yaml"));
  // The resolved config is a config: it gives the same numbers again.
  REQUIRE(work.run({"run", "one/config.yaml", "--out", "three", "--quiet"}).exit_code == 0);
  CHECK(work.results("one").dump() == work.results("three").dump());
}
