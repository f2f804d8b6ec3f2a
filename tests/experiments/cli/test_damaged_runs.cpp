// Files of a run directory that something else has changed: --resume, report and compare name them and end.
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/files/npy.h"
#include "tests/experiments/program.h"
#include "tests/support/catch.h"

using namespace ansatz;
using namespace ansatz::testing;
namespace fs = std::filesystem;

namespace {

const char* const kConfig = R"(
dataset: {name: low_rank, target: x1x2, dimension: 8, train_size: 100, validation_size: 50, test_size: 50}
network: {hidden_layers: [32], batch_size: 10, epochs: 20, snapshots: 5}
rfm: {kernel: laplace, ridge: 1.0e-3, iterations: 2}
kernel_machines: [{label: laplace}, {label: ntk, kernel: ntk}]
save: {images: false}
report: false
)";

bool is_one_line_of(const ProgramResult& result, const std::string& file) {
  return result.exit_code == 3 && result.err.rfind("ansatz: ", 0) == 0 &&
         std::count(result.err.begin(), result.err.end(), '\n') == 1 && result.err.find(file) != std::string::npos;
}

/// A byte of the file has another value: in the middle, or of an array's last number (its header may have spaces
/// there).
void flip(const fs::path& file) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  const auto size = static_cast<std::streamoff>(fs::file_size(file));
  const std::streamoff place = file.extension() == ".npy" ? size - 2 : size / 2;
  stream.seekg(place);
  const char byte = static_cast<char>(stream.get() ^ 4);
  stream.seekp(place);
  stream.put(byte);
}

}  // namespace

TEST_CASE("damage to any file of the state ends a resumed run with the file's name") {
  const Workspace work;
  work.write("a.yaml", kConfig);
  ProgramLimits limits;
  limits.interrupt_when = "cut/state/kernel.laplace.json";  // the next machine is still to come
  REQUIRE(work.run({"run", "a.yaml", "--out", "cut", "--quiet"}, limits).exit_code == 130);
  const auto copy = [&] {
    fs::remove_all(work.path() / "hit");
    fs::copy(work.path() / "cut", work.path() / "hit", fs::copy_options::recursive);
  };
  const auto check = [&](const std::string& file, const std::string& how, const auto& damage) {
    copy();
    damage(work.path() / "hit/state" / file);
    const ProgramResult result = work.run({"run", "a.yaml", "--out", "hit", "--quiet", "--resume"});
    INFO(file << " " << how << ": exit code " << result.exit_code << ", " << result.err);
    CHECK(is_one_line_of(result, "hit/state/" + file));
  };
  const auto flipped = [](const fs::path& path) { flip(path); };
  const auto removed = [](const fs::path& path) { fs::remove(path); };
  const auto empty_array = [](const fs::path& path) { write_npy<float>(path, Vector<float>(Vector<float>::Zero(0))); };
  const auto empty_object = [](const fs::path& path) { write_bytes(path, "{}"); };
  int files = 0;
  for (const auto& entry : fs::directory_iterator(work.path() / "cut/state")) {
    const std::string file = entry.path().filename().string();
    ++files;
    check(file, "flipped", flipped);
    if (entry.path().extension() == ".json") check(file, "{}", empty_object);
  }
  CHECK(files >= 1 + 5 * 2 + 3 * 2 + 2 + 1 + 1);  // network.train, snapshots, iterations with M, one machine, data
  check("network.snapshot.1.diagonal.npy", "empty", empty_array);
  check("rfm.0.alpha.npy", "empty", empty_array);
  check("rfm.1.M.npy", "missing", removed);
  check("network.snapshot.1.json", "missing", removed);
  check("network.train", "empty", empty_array);
  copy();
  CHECK(work.run({"run", "a.yaml", "--out", "hit", "--quiet", "--resume"}).exit_code == 0);
}

TEST_CASE("a damaged metrics.json or manifest.json ends report and compare with the file's name and the key's") {
  const Workspace work;
  work.write("a.yaml", kConfig);
  REQUIRE(work.run({"run", "a.yaml", "--out", "r", "--quiet"}).exit_code == 0);
  const std::string good = work.read("r/metrics.json"), manifest = work.read("r/manifest.json");
  REQUIRE(work.run({"report", "r"}).exit_code == 0);
  for (const std::string& text :
       {std::string("{\"schema\": 2}"), std::string(100'000, '['), good.substr(0, good.size() / 2)}) {
    work.write("r/metrics.json", text);
    const ProgramResult result = work.run({"report", "r"});
    INFO(text.substr(0, 40) << ": exit code " << result.exit_code << ", " << result.err);
    CHECK(is_one_line_of(result, "r/metrics.json"));
    CHECK(is_one_line_of(work.run({"compare", "r/matrices/rfm.M1.npy", "r"}), "r/metrics.json"));
    CHECK(is_one_line_of(work.run({"compare", "r", "r", "--shape", "2x4"}), "r/metrics.json"));
    CHECK(is_one_line_of(work.run({"run", "a.yaml", "--out", "r", "--resume", "--quiet"}), "r/metrics.json"));
    work.write("r/metrics.json", good);
    work.write("r/manifest.json", text);
    CHECK(is_one_line_of(work.run({"report", "r"}), "r/manifest.json"));
    CHECK(is_one_line_of(work.run({"run", "a.yaml", "--out", "r", "--resume", "--quiet"}), "r/manifest.json"));
    work.write("r/manifest.json", manifest);
  }
  auto metrics = nlohmann::ordered_json::parse(good);  // tests/core/record tries every key
  metrics["data"]["image_shape"] = {4611686018427387904, 4, 4};
  work.write("r/metrics.json", metrics.dump());
  CHECK(is_one_line_of(work.run({"report", "r"}), "r/metrics.json"));
  CHECK(is_one_line_of(work.run({"compare", "r", "r"}), "r/metrics.json"));
}

TEST_CASE("a label that no file name can hold is refused before anything is written") {
  const Workspace work;
  work.write("a.yaml",
             std::string("dataset: {name: low_rank}\nkernel_machines: [{label: ") + std::string(300, 'x') + "}]\n");
  const ProgramResult result = work.run({"run", "a.yaml", "--out", "r"});
  CHECK(result.exit_code == 2);
  CHECK(result.err.find("a.yaml:2") != std::string::npos);
  CHECK_FALSE(fs::exists(work.path() / "r"));
}

TEST_CASE("a report on two runs of one name tells them apart by their folders") {
  const Workspace work;
  work.write("a.yaml", std::string(kConfig) + "name: same\n");
  REQUIRE(work.run({"run", "a.yaml", "--out", "one", "--quiet"}).exit_code == 0);
  REQUIRE(work.run({"run", "a.yaml", "--out", "two", "--quiet", "--set", "seed=3"}).exit_code == 0);
  REQUIRE(work.run({"report", "one", "two", "--out", "both.html"}).exit_code == 0);
  const std::string page = work.read("both.html");
  CHECK(page.find("<th>one</th><th>two</th>") != std::string::npos);
}
