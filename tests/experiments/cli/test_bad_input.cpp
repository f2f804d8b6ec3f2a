// Every wrong input ends in one clear line, the right exit code, and nothing half-written.
#include <fmt/format.h>
#include <sys/stat.h>

#include "core/base/random.h"
#include "core/files/npy.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"
#include "tests/support/checkpoint_files.h"

using namespace ansatz;
using namespace ansatz::testing;

namespace {

void write_arrays(const Workspace& work, Index n, Index d_train, Index d_test) {
  RandomStream stream(1);
  const Matrix<float> x = stream.normal_matrix<float>(n, d_train), z = stream.normal_matrix<float>(20, d_test);
  ansatz::write_npy<float>(work.path() / "x.npy", x);
  ansatz::write_npy<float>(work.path() / "z.npy", z);
  ansatz::write_npy<float>(work.path() / "y.npy", Matrix<float>(x.leftCols(1)));
  ansatz::write_npy<float>(work.path() / "w.npy", Matrix<float>(z.leftCols(1)));
}

std::string arrays(const std::string& more = "") {
  return "dataset: {name: arrays, train_inputs: x.npy, train_targets: y.npy, test_inputs: z.npy, test_targets: w.npy" +
         more + "}\nrfm: {iterations: 1}\n";
}

/// Runs `config` and requires exit code, a one-line message that contains `words`, and no run directory.
void expect_failure(const Workspace& work, const std::string& config, int exit_code,
                    const std::vector<std::string>& words, std::vector<std::string> more = {},
                    const ProgramLimits& limits = {}) {
  work.write("c.yaml", config);
  std::vector<std::string> command = {"run", "c.yaml", "--quiet", "--out", "out"};
  command.insert(command.end(), more.begin(), more.end());
  const ProgramResult result = work.run(command, limits);
  INFO(result.err);
  CHECK(result.exit_code == exit_code);
  CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  for (const std::string& word : words) {
    INFO("should say: " << word);
    CHECK(result.err.find(word) != std::string::npos);
  }
  CHECK_FALSE(std::filesystem::exists(work.path() / "out"));
}

}  // namespace

TEST_CASE("bad config: exit 2 with position and the nearest key") {
  const Workspace work;
  write_arrays(work, 30, 4, 4);
  expect_failure(work, arrays() + "rfmm: {}\n", 2, {"c.yaml:3:1", "rfmm", "rfm"});
  expect_failure(work, "dataset: {name: low_rank}\nrfm: {ridge: -0.001}\n", 2, {"c.yaml:2:14", "ridge", "-0.001"});
  expect_failure(work, "dataset: {name: low_rank}\nrfm: {iterations: lots}\n", 2, {"c.yaml:2:19", "iterations"});
  expect_failure(work, "dataset: {name: low_rank\nrfm: {iterations: 1}\n", 2, {"c.yaml"});
  expect_failure(work, arrays(), 2, {"--set", "rfm.iterations"}, {"--set", "rfm.iterations=x"});
  expect_failure(work, "dataset: {name: mnist, task: regression}\nrfm: {iterations: 1}\n", 2, {"task"});
  const ProgramResult missing = work.run({"run", "nothing.yaml"});
  CHECK(missing.exit_code == 2);
  CHECK(missing.err.find("nothing.yaml") != std::string::npos);
  CHECK(work.run({"fly"}).exit_code == 2);
  CHECK(work.run({}).exit_code == 2);
}

TEST_CASE("bad arrays: exit 3 naming the file") {
  const Workspace work;
  write_arrays(work, 30, 4, 5);
  expect_failure(work, arrays(), 3, {"4", "5"});  // d of train and test
  write_arrays(work, 30, 4, 4);
  expect_failure(work, arrays(", image_shape: [1, 3, 2]"), 3, {"image_shape", "6", "4"});
  std::filesystem::remove(work.path() / "w.npy");
  expect_failure(work, arrays(), 3, {"w.npy"});
  work.write("w.npy", "no array at all");
  expect_failure(work, arrays(), 3, {"w.npy"});
  write_arrays(work, 30, 4, 4);
  Matrix<float> x = RandomStream(1).normal_matrix<float>(30, 4);
  x(7, 2) = std::numeric_limits<float>::quiet_NaN();
  ansatz::write_npy<float>(work.path() / "x.npy", x);
  expect_failure(work, arrays(), 3, {"x.npy", "7", "2"});
  write_arrays(work, 1, 4, 4);
  expect_failure(work, arrays(", validation_fraction: 0"), 3, {"1"});  // n = 1
  write_arrays(work, 30, 4, 4);
  ansatz::write_npy<float>(work.path() / "y.npy", Matrix<float>(Matrix<float>::Ones(30, 1)));
  const std::string bytes = work.read("z.npy");
  work.write("z.npy", bytes.substr(0, bytes.size() - 9));
  expect_failure(work, arrays(), 3, {"z.npy"});
}

TEST_CASE("bad tables: exit 3 naming row and column") {
  const Workspace work;
  const std::string config = "dataset: {name: csv, path: t.csv, target: y}\nrfm: {iterations: 1}\n";
  std::string rows = "a,b,y\n";
  for (int i = 0; i < 20; ++i) rows += fmt::format("{},{},{}\n", i, i * i % 7, i % 3);
  work.write("t.csv", rows + "1,NaN,2\n");
  expect_failure(work, config, 3, {"t.csv", "b", "22"});
  work.write("t.csv", rows + "1,2\n");
  expect_failure(work, config, 3, {"t.csv", "22"});
  work.write("t.csv", rows);
  expect_failure(work, "dataset: {name: csv, path: t.csv, target: z}\nrfm: {iterations: 1}\n", 3, {"z"});
  std::string same = "a,b,y\n";
  for (int i = 0; i < 20; ++i) same += fmt::format("{},{},cat\n", i, i * i % 7);
  work.write("t.csv", same);
  expect_failure(work, "dataset: {name: csv, path: t.csv, target: y, task: classification}\nrfm: {iterations: 1}\n", 3,
                 {"class"});
}

TEST_CASE("bad idx files: exit 3") {
  const Workspace work;
  const std::string config = "dataset: {name: mnist, path: digits}\nrfm: {iterations: 1}\n";
  expect_failure(work, config, 3, {"digits"});
  for (const char* name :
       {"train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"}) {
    work.write(std::string("digits/") + name, std::string("\0\0\x08\x07wrong magic, long enough", 28));
  }
  expect_failure(work, config, 3, {"train-images-idx3-ubyte", "magic"});
  std::filesystem::remove(work.path() / "digits/train-images-idx3-ubyte");
  work.write("digits/train-images-idx3-ubyte.gz", std::string("\x1f\x8b\x08\0\0\0\0\0\0\x03\x63", 11));  // cut off
  expect_failure(work, config, 3, {"train-images-idx3-ubyte.gz"});
}

TEST_CASE("bad networks: exit 3 naming the file") {
  const Workspace work;
  write_arrays(work, 30, 4, 4);
  const std::string network = arrays() + "network: {checkpoint: net.pt, train: false}\n";
  expect_failure(work, network, 3, {"net.pt"});
  work.write("net.pt", "PK\x03\x04 this was a checkpoint once");
  expect_failure(work, network, 3, {"net.pt"});
  ansatz::write_npy<float>(work.path() / "W1.npy", Matrix<float>(Matrix<float>::Ones(8, 7)));
  expect_failure(work, arrays() + "network: {weights: [W1.npy], train: false}\n", 3, {"W1.npy", "7", "4"});
}

TEST_CASE("layers in no known order: exit 2 asking for their names, which are then obeyed") {
  const Workspace work;
  write_arrays(work, 30, 4, 4);
  const std::string start = "network: {checkpoint: net.safetensors, train: false";
  const std::vector<NamedShape> square = {{"hidden.weight", 4, 4}, {"input.weight", 4, 4}, {"output.weight", 1, 4}};
  work.write("net.safetensors", safetensors_file(square));
  expect_failure(work, arrays() + start + "}\n", 2,
                 {"c.yaml:3:", "network.layer_names", "net.safetensors", "hidden, input, output"});
  expect_failure(work, arrays() + start + ", layer_names: [in, hidden, output]}\n", 2, {"c.yaml:3:67", "\"in\""});
  work.write("c.yaml", arrays() + start + ", layer_names: [input, hidden, output]}\n");
  REQUIRE(work.run({"run", "c.yaml", "--quiet", "--out", "out"}).exit_code == 0);
  const Matrix<float> nfm = ansatz::read_npy<float>(work.path() / "out/matrices/network.nfm.npy");
  CHECK(nfm == Matrix<float>::Constant(4, 4, 4));  // W1 = input holds the value 1 throughout; hidden would give 0
}

TEST_CASE("a number of a network that float32 does not hold: exit 2 where it stands") {
  const Workspace work;
  write_arrays(work, 30, 4, 4);
  expect_failure(work, arrays() + "network: {optimizer: {learning_rate: 1e39}}\n", 2,
                 {"c.yaml:3:38", "learning_rate", "1e39"});
  expect_failure(work, arrays() + "network: {snapshots: 4611686018427387904}\n", 2, {"c.yaml:3:22", "snapshots"});
}

TEST_CASE("a place that cannot be written to: exit 2, and what is there stays") {
  const Workspace work;
  write_arrays(work, 30, 4, 4);
  work.write("c.yaml", arrays());
  work.write("taken/notes.txt", "mine");
  const ProgramResult exists = work.run({"run", "c.yaml", "--out", "taken", "--quiet"});
  CHECK(exists.exit_code == 2);
  CHECK(exists.err.find("taken") != std::string::npos);
  CHECK(work.read("taken/notes.txt") == "mine");
  const ProgramResult file = work.run({"run", "c.yaml", "--out", "x.npy", "--quiet"});
  CHECK(file.exit_code == 2);
  const ProgramResult below_file = work.run({"run", "c.yaml", "--out", "x.npy/run", "--quiet"});
  CHECK(below_file.exit_code == 2);
  const ProgramResult read_only = work.run({"run", "c.yaml", "--out", "/proc/ansatz", "--quiet"});
  CHECK(read_only.exit_code == 2);
  for (const ProgramResult& r : {exists, file, below_file, read_only})
    CHECK(std::count(r.err.begin(), r.err.end(), '\n') == 1);
}

TEST_CASE("disk full: exit 2 naming the file, nothing half-written") {
  const Workspace work;
  work.write("c.yaml",
             "dataset: {name: low_rank, dimension: 60, train_size: 200, test_size: 100}\nrfm: {iterations: 1}\nreport: "
             "false\n");
  ProgramLimits limits;
  limits.file_size = 8000;  // config and manifest fit, a 60 x 60 matrix does not
  const ProgramResult result = work.run({"run", "c.yaml", "--out", "full", "--quiet"}, limits);
  INFO(result.err);
  CHECK(result.exit_code == 2);
  CHECK(result.err.find("full/") != std::string::npos);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(work.path() / "full")) {
    CHECK(entry.path().string().find(".tmp") == std::string::npos);
    if (entry.path().extension() == ".npy") CHECK_NOTHROW(ansatz::read_npy<float>(entry.path()));
  }
}

TEST_CASE("too large: exit 4 before anything starts") {
  const Workspace work;
  expect_failure(work, "dataset: {name: low_rank, train_size: 2000000}\nrfm: {iterations: 1, solver: cholesky}\n", 4,
                 {"free", "train_size", "16000"});
}

TEST_CASE("a diverging network: exit 5 with advice") {
  const Workspace work;
  work.write("c.yaml",
             "dataset: {name: low_rank, dimension: 30, train_size: 200, test_size: 50}\n"
             "network: {hidden_layers: [64, 64], optimizer: {name: sgd, learning_rate: 1.0e+5}, epochs: 50}\n");
  const ProgramResult result = work.run({"run", "c.yaml", "--out", "out", "--quiet"});
  INFO(result.err);
  CHECK(result.exit_code == 5);
  CHECK(result.err.find("learning_rate") != std::string::npos);
  CHECK(work.read("out/manifest.json").find("\"exit_status\": 5") != std::string::npos);
  // What failed may be tried again in the same place.
  CHECK(work.run({"run", "c.yaml", "--out", "out", "--quiet", "--set", "network.optimizer.learning_rate=0.01"})
            .exit_code == 0);
}

TEST_CASE("numbers without sense: exit 2 at their place, in plan as in run") {
  const Workspace work;
  write_arrays(work, 30, 4, 4);
  const std::string low_rank = "dataset: {name: low_rank, target: custom, terms: [{variables: [1], powers: [";
  const std::string huge = "4611686018427387904";
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {low_rank + huge + "]}]}\nrfm: {iterations: 1}\n", {"c.yaml:1:77", "powers.0", "at most 16"}},
      {"dataset: {name: low_rank}\nnetwork: {snapshots: " + huge + "}\n",
       {"c.yaml:2:22", "snapshots", "at most 100000"}},
      {"dataset: {name: mnist, image_width: " + huge + "}\nrfm: {iterations: 1}\n", {"c.yaml:1:37", "at most 16384"}},
      {"dataset: {name: low_rank, dimension: " + huge + "}\nrfm: {iterations: 1}\n", {"c.yaml:1:38", "dimension"}},
      {"dataset: {name: low_rank}\nrfm: {iterations: " + huge + "}\n", {"c.yaml:2:19", "iterations"}},
      {"dataset: {name: low_rank}\nrfm: {kernel: ntk, depth: " + huge + "}\n", {"c.yaml:2:27", "depth"}},
      {"dataset: {name: low_rank}\nrfm: {iterations: 1}\ncomparison: {top_eigenvectors: " + huge + "}\n",
       {"c.yaml:3:32", "top_eigenvectors"}},
      {"dataset: {name: low_rank}\nnetwork: {hidden_layers: [" + huge + "]}\n", {"c.yaml:2:27", "hidden_layers.0"}},
      {"dataset: {name: low_rank}\nrfm: {iterations: 1}\nthreads: " + huge + "\n", {"c.yaml:3:10", "threads"}},
      {arrays(", image_shape: [" + huge + ", 4, 4]"), {"c.yaml:1:", "image_shape.0"}},
      {"dataset: {name: low_rank}\nkernel_machines: [{label: " + std::string(300, 'x') + "}]\n",
       {"c.yaml:2:27", "at most 100 bytes"}},
  };
  for (const auto& [config, words] : cases) {
    expect_failure(work, config, 2, words);
    const ProgramResult plan = work.run({"plan", "c.yaml"});
    CHECK(plan.exit_code == 2);
    CHECK(plan.seconds < 10);
  }
}

TEST_CASE("what is no regular file: refused at once, wherever a file is read") {
  const Workspace work;
  write_arrays(work, 30, 4, 4);
  const auto refused = [&](const std::vector<std::string>& command, int exit_code, const std::string& words) {
    ProgramLimits limits;
    limits.kill_after_ms = 60'000;
    limits.address_space = 4L << 30;
    const ProgramResult result = work.run(command, limits);
    INFO(result.err);
    CHECK(result.exit_code == exit_code);
    CHECK(result.err.find(words) != std::string::npos);
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  };
  refused({"plan", "/dev/zero"}, 2, "/dev/zero: it is a device, no regular file");
  const std::string pipe = (work.path() / "pipe").string();
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  refused({"run", "pipe"}, 2, "it is a pipe, no regular file");
  refused({"plan", "."}, 2, "it is a folder, no regular file");
  for (const char* command : {"plan", "run"}) {
    work.write("c.yaml", arrays());
    refused({command, "c.yaml", "--set", "dataset.train_inputs=pipe"}, 3, "it is a pipe");
    refused({command, "c.yaml", "--set", "dataset.test_targets=/dev/zero"}, 3, "it is a device");
    work.write("c.yaml", "dataset: {name: csv, path: /dev/zero, target: y}\nrfm: {iterations: 1}\n");
    refused({command, "c.yaml"}, 3, "it is a device");
  }
  work.write("c.yaml", arrays() + "network: {checkpoint: pipe, train: false}\n");
  refused({"run", "c.yaml", "--out", "out", "--quiet"}, 3, "it is a pipe");
  refused({"compare", "pipe", "/dev/zero"}, 3, "it is a pipe");
  refused({"render", "/dev/zero", "--what", "matrix", "--out", "m.png"}, 3, "it is a device");
}
