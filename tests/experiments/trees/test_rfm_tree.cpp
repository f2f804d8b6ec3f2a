// The experiment rfm_tree, as its users call it: bytes in .npy files, one command, predictions of new rows.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/files/npy.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"
#include "tests/support/data_options.h"

using namespace ansatz;
using namespace ansatz::testing;

namespace {

constexpr Index kTrain = 500, kTest = 150, kColumns = 6;

/// Which of two later columns the class hangs on is decided by the first.
std::string label_of(const std::string& bytes, Index row) {
  const auto value = [&](Index column) { return static_cast<unsigned char>(bytes[row * kColumns + column]); };
  return value(value(0) > 127 ? 1 : 2) > 127 ? std::string(1, '\1') : std::string(1, '\0');
}

/// x_<name>.npy and y_<name>.npy.
void write_part(const Workspace& work, const std::string& name, Index rows, std::uint64_t seed) {
  RandomStream draws(seed);
  std::string bytes, labels;
  for (Index i = 0; i < rows * kColumns; ++i) bytes += static_cast<char>(draws.bits() >> 56);
  for (Index i = 0; i < rows; ++i) labels += label_of(bytes, i);
  write_npy_bytes(work.path() / ("x_" + name + ".npy"), "|u1", fmt::format("({}, {})", rows, kColumns), bytes);
  write_npy_bytes(work.path() / ("y_" + name + ".npy"), "|u1", fmt::format("({},)", rows), labels);
}

const std::string kConfig = R"(experiment: rfm_tree
dataset:
  name: arrays
  task: classification
  train_inputs: x_train.npy
  train_targets: y_train.npy
  test_inputs: x_test.npy
  test_targets: y_test.npy
  normalize: standardize
  feature_names: [gate, left, right, a, b, c]
rfm_tree: {bandwidth: 3, ridge: 0.1, iterations: 2, leaf_size: 120, split_rows: 200}
)";

void write_data(const Workspace& work) {
  write_part(work, "train", kTrain, 1);
  write_part(work, "test", kTest, 2);
  work.write("tree.yaml", kConfig);
}

void check_ok(const ProgramResult& result) {
  INFO(result.err);
  CHECK(result.exit_code == 0);
}

}  // namespace

TEST_CASE("rfm_tree: one command fits bytes, and the model answers as the run did") {
  const Workspace work;
  write_data(work);
  check_ok(work.run({"run", "tree.yaml", "--out", "run"}));
  const auto metrics = work.metrics("run");
  const auto& tree = metrics.at("models").at("tree");
  CHECK(tree.at("test").at("accuracy").get<double>() > 0.85);
  CHECK(tree.at("description").get<std::string>().find("4 leaves of ") == 0);
  CHECK(metrics.at("data").at("train_size") == 400);
  const auto& features = metrics.at("top_features").at("by_feature");
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string name = features.at(i).at("name");
    CHECK((name == "gate" || name == "left" || name == "right"));
  }

  // Centres are in the file; without the training rows.
  std::filesystem::remove(work.path() / "x_train.npy");
  check_ok(work.run({"predict", "run", "--model", "tree", "--inputs", "x_test.npy", "--out", "out.npy"}));
  CHECK(read_npy<float>(work.path() / "out.npy") == read_npy<float>(work.path() / "run/predictions/tree.test.npy"));
  const std::string leaves = work.read("run/leaves.csv");
  CHECK(std::count(leaves.begin(), leaves.end(), '\n') == 5);
  CHECK(work.read("run/features.csv").find("gate") != std::string::npos);
  CHECK(work.read("run/report.html").find("gate") != std::string::npos);
}

TEST_CASE("rfm_tree: mapped bytes and a table of the same numbers give the same tree, to the bit") {
  const Workspace work;
  write_data(work);
  check_ok(work.run({"run", "tree.yaml", "--out", "bytes", "--quiet"}));
  for (const char* name : {"train", "test"}) {
    const std::filesystem::path file = work.path() / (std::string("x_") + name + ".npy");
    write_npy(file, read_npy<double>(file));  // float64, which is read into memory
  }
  check_ok(work.run({"run", "tree.yaml", "--out", "memory", "--quiet"}));
  CHECK(work.metrics("bytes").at("models").at("tree").at("test") ==
        work.metrics("memory").at("models").at("tree").at("test"));
  CHECK(read_npy<float>(work.path() / "bytes/predictions/tree.test.npy") ==
        read_npy<float>(work.path() / "memory/predictions/tree.test.npy"));
  CHECK(work.run({"plan", "tree.yaml"}).out.find("stay in their files") == std::string::npos);
}

TEST_CASE("rfm_tree: what is wrong is said before anything is written") {
  const Workspace work;
  write_data(work);
  const ProgramResult plan = work.run({"plan", "tree.yaml"});
  check_ok(plan);
  CHECK(plan.out.find("stay in their files") != std::string::npos);
  CHECK(plan.out.find("4 leaves of 100 rows") != std::string::npos);
  const ProgramResult size = work.run({"run", "tree.yaml", "--set", "rfm_tree.leaf_size=1"});
  CHECK(size.exit_code == 2);
  CHECK(size.err.find("rfm_tree.leaf_size") != std::string::npos);
  const ProgramResult blocks = work.run({"run", "tree.yaml", "--set", "rfm_tree.feature_matrix=blocks"});
  CHECK(blocks.exit_code == 2);
  std::filesystem::remove(work.path() / "y_test.npy");
  CHECK(work.run({"run", "tree.yaml", "--out", "run"}).exit_code == 3);
  CHECK_FALSE(std::filesystem::exists(work.path() / "run"));
}
