#include <random>

#include "core/files/npy.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"

namespace fs = std::filesystem;
using ansatz::Matrix;
using ansatz::write_npy;
using namespace ansatz::testing;

namespace {

// Long enough (about two seconds) that kills fall into every stage, Adam so that optimiser buffers matter.
const char* const kConfig = R"(
dataset: {name: low_rank, target: x1x2, dimension: 20, train_size: 400, validation_size: 200, test_size: 200}
network: {hidden_layers: [128, 128], optimizer: {name: adam, learning_rate: 1.0e-3}, batch_size: 32, epochs: 60}
rfm: {kernel: laplace, ridge: 1.0e-3, iterations: 4}
kernel_machines: [{label: ntk, kernel: ntk, depth: 2}, {label: laplace}]
save: {feature_matrices: all}
)";

const char* const kSmall = R"(
dataset: {name: low_rank, target: x1x2, dimension: 8, train_size: 100, validation_size: 50, test_size: 50}
network: {hidden_layers: [32], optimizer: {name: adam, learning_rate: 1.0e-3}, batch_size: 10, epochs: 60, snapshots: 5}
rfm: {kernel: laplace, ridge: 1.0e-3, iterations: 2}
kernel_machines: [{label: laplace}]
save: {feature_matrices: all, images: false}
report: false
)";
const std::string kParts = std::string(kSmall) + R"(
experiment: low_rank
parts:
  - {name: first}
  - {name: second}
  - {name: third}
)";

std::vector<std::string> files_below(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) names.push_back(fs::relative(entry.path(), folder).string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The results of a run and of all runs in it are those of another; `of`: both below the workspace.
void check_same(const Workspace& work, const std::string& of, const std::string& expected) {
  const auto files = files_below(work.path() / expected);
  CHECK(files_below(work.path() / of) == files);
  for (const std::string& file : files) {
    const fs::path path = file;
    INFO(file);
    if (path.filename() == "metrics.json")
      CHECK(work.results(fs::path(of) / path.parent_path()) == work.results(fs::path(expected) / path.parent_path()));
    else if (path.extension() == ".npy" || path.extension() == ".safetensors")
      CHECK(work.read(of + "/" + file) == work.read(expected + "/" + file));
  }
}

/// Whether the run in a folder has said that it is done, though perhaps its process was killed before it ended.
bool says_finished(const Workspace& work, const std::string& folder) {
  const std::string manifest = folder + "/manifest.json";
  return fs::exists(work.path() / manifest) &&
         work.read(manifest).find("\"status\": \"finished\"") != std::string::npos;
}

/// Kills the run of `config` at `trials` random moments; each time it must go on to what an unbroken one leaves.
void check_kills(const std::string& config, int trials, unsigned seed) {
  const Workspace work;
  work.write("a.yaml", config);
  const ProgramResult whole = work.run({"run", "a.yaml", "--out", "whole", "--quiet"});
  REQUIRE(whole.exit_code == 0);
  std::mt19937 random(seed);
  const int duration_ms = static_cast<int>(1000 * whole.seconds);
  for (int trial = 0; trial < trials; ++trial) {
    // A run that was done before its kill (a busy machine slows runs unevenly) is cut off earlier, in a folder of its
    // own.
    ProgramLimits limits;
    limits.kill_after_ms = std::uniform_int_distribution<int>(duration_ms / 10, duration_ms)(random);
    std::string out = "killed-" + std::to_string(trial);
    while (work.run({"run", "a.yaml", "--out", out, "--quiet"}, limits).exit_code != 128 + 9 ||
           says_finished(work, out)) {
      limits.kill_after_ms = limits.kill_after_ms * 9 / 10;
      out += "-earlier";
      REQUIRE(limits.kill_after_ms > 0);
    }
    const ProgramResult resumed = trial % 2 == 0 || !fs::exists(work.path() / out / "config.yaml")
                                      ? work.run({"run", "a.yaml", "--out", out, "--quiet", "--resume"})
                                      : work.run({"resume", out, "--quiet"});  // by the config in its folder
    INFO("killed after " << limits.kill_after_ms << " of " << duration_ms << " ms; " << resumed.err);
    REQUIRE(resumed.exit_code == 0);
    check_same(work, out, "whole");
  }
}

}  // namespace

TEST_CASE("a run killed at ten random moments and resumed gives the numbers of an unbroken one") {
  check_kills(kConfig, 10, 7);
}

TEST_CASE("an experiment of parts and a run of several seeds go on after a kill at any moment") {
  check_kills(kParts, 6, 8);
  check_kills(std::string(kSmall) + "repeats: 3\n", 4, 9);
}

TEST_CASE("an experiment of parts goes on after each step of its end, and leaves finished parts as they are") {
  const Workspace work;
  work.write("a.yaml", kParts);
  // Cut off when the second part is done: the first two stand, whatever else comes.
  ProgramLimits limits;
  limits.interrupt_when = "cut/parts/third/history.csv";
  REQUIRE(work.run({"run", "a.yaml", "--out", "cut", "--quiet", "--set", "network.epochs=60"}, limits).exit_code ==
          130);
  const fs::path first = work.path() / "cut/parts/first";
  CHECK(nlohmann::json::parse(work.read("cut/parts/first/manifest.json")).at("exit_status") == 0);
  CHECK(fs::exists(first / "state"));
  const auto before = fs::last_write_time(first / "metrics.json");
  REQUIRE(work.run({"run", "a.yaml", "--out", "whole", "--quiet"}).exit_code == 0);
  REQUIRE(work.run({"run", "a.yaml", "--out", "cut", "--quiet", "--resume"}).exit_code == 0);
  CHECK(fs::last_write_time(first / "metrics.json") == before);
  check_same(work, "cut", "whole");

  // A version that removed the parts' state first: they are run again.
  fs::remove(work.path() / "cut/metrics.json");
  work.write("cut/manifest.json", R"({"status": "running"})");
  REQUIRE(work.run({"run", "a.yaml", "--out", "cut", "--quiet", "--resume"}).exit_code == 0);
  check_same(work, "cut", "whole");
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
  CHECK(cut.err.find(" resume cut --quiet\n") != std::string::npos);
  CHECK(fs::exists(work.path() / "cut/state"));
  REQUIRE(work.run({"run", "a.yaml", "--out", "cut", "--quiet", "--resume"}).exit_code == 0);
  CHECK(work.results("cut") == work.results("whole"));
  CHECK_FALSE(fs::exists(work.path() / "cut/state"));
}

TEST_CASE("resume takes a run directory alone, and refuses what cannot go on") {
  const Workspace work;
  work.write("a.yaml", kParts);
  REQUIRE(work.run({"run", "a.yaml", "--out", "whole", "--quiet", "--set", "seed=4"}).exit_code == 0);
  ProgramLimits limits;
  limits.interrupt_when = "cut/parts/second/history.csv";
  REQUIRE(work.run({"run", "a.yaml", "--out", "cut", "--quiet", "--set", "seed=4"}, limits).exit_code == 130);
  fs::remove(work.path() / "a.yaml");
  const auto refused = [&](const std::string& folder, int exit_code, const std::string& why) {
    const ProgramResult result = work.run({"resume", folder});
    INFO(result.err);
    CHECK(result.exit_code == exit_code);
    CHECK(result.err.find(folder + why) != std::string::npos);
  };
  refused("cut/parts/first", 2, ": is the part first of an experiment");
  const ProgramResult resumed = work.run({"resume", "cut", "--quiet"});
  INFO(resumed.err);
  REQUIRE(resumed.exit_code == 0);
  check_same(work, "cut", "whole");
  refused("cut", 2, ": is finished since 2");
  refused("nowhere", 3, ": no run is there (config.yaml is missing)");
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

TEST_CASE("resuming on other data is refused, and goes on when they are back") {
  const Workspace work;
  const Matrix<float> x = Matrix<float>::Random(60, 4), y = x.col(0);
  const auto write = [&](const Matrix<float>& inputs, const Matrix<float>& targets) {
    write_npy<float>(work.path() / "x.npy", inputs);
    write_npy<float>(work.path() / "y.npy", targets);
  };
  write(x, y);
  work.write("a.yaml", R"(
dataset: {name: arrays, train_inputs: x.npy, train_targets: y.npy, test_inputs: x.npy, test_targets: y.npy,
          target_scaling: standardize}
network: {hidden_layers: [32], batch_size: 8, epochs: 400, snapshots: 5}
rfm: {kernel: laplace, ridge: 1.0e-3, iterations: 2}
save: {images: false}
report: false
)");
  REQUIRE(work.run({"run", "a.yaml", "--out", "whole", "--quiet"}).exit_code == 0);
  ProgramLimits limits;
  limits.interrupt_when = "cut/history.csv";
  REQUIRE(work.run({"run", "a.yaml", "--out", "cut", "--quiet"}, limits).exit_code == 130);
  Matrix<float> other = x;
  other(3, 1) += 1;
  struct Change {
    const char* name;
    Matrix<float> inputs, targets;
  };
  // The last has the same targets as models see them, in another unit.
  for (const auto& [name, inputs, targets] :
       {Change{"test_inputs", other, y}, Change{"train_targets", x, -y}, Change{"target_sd", x, 2 * y}}) {
    write(inputs, targets);
    const ProgramResult refused = work.run({"run", "a.yaml", "--out", "cut", "--quiet", "--resume"});
    CHECK(refused.exit_code == 3);
    CHECK(refused.err.find("the data are not those that the run began with: ") != std::string::npos);
    CHECK(refused.err.find(name) != std::string::npos);
    CHECK(refused.err.find(".npy was ") != std::string::npos);
    CHECK(work.run({"run", "a.yaml", "--out", "cut", "--quiet"}).exit_code == 2);  // it is not a run that failed
  }
  write(x, y);
  REQUIRE(work.run({"run", "a.yaml", "--out", "cut", "--quiet", "--resume"}).exit_code == 0);
  check_same(work, "cut", "whole");
}

TEST_CASE("the next repeat wants the data that the first one read") {
  const Workspace work;
  const auto write_data = [&](const char* last) {
    std::string text = "x,z,y\n";
    for (int i = 0; i < 60; ++i)
      text += std::to_string(i * 37 % 60) + "," + std::to_string(i % 7) + "," + std::to_string(i) + "\n";
    work.write("t.csv", text + last);
  };
  write_data("1,2,3\n");
  work.write("a.yaml",
             "dataset: {name: csv, path: t.csv, target: y}\nrfm: {iterations: 2}\nrepeats: 2\nsave: {images: false}\n"
             "report: false\n");
  REQUIRE(work.run({"run", "a.yaml", "--out", "out", "--quiet"}).exit_code == 0);
  // As if killed between the two.
  fs::remove_all(work.path() / "out/repeat-2");
  fs::remove(work.path() / "out/metrics.json");
  work.write("out/manifest.json", R"({"status": "running"})");
  write_data("1,2,33\n");
  const ProgramResult refused = work.run({"run", "a.yaml", "--out", "out", "--quiet", "--resume"});
  CHECK(refused.exit_code == 3);
  CHECK(refused.err.find("t.csv was ") != std::string::npos);
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
