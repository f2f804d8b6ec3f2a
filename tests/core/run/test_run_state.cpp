#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/files/npy.h"
#include "core/run/run_directory.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

using namespace ansatz;
namespace fs = std::filesystem;

namespace {

RunDirectory open_run(const fs::path& path) {
  return RunDirectory::open(path, "seed: 1\n", {{"version", "test"}}, false);
}

const Matrix<float> kAlpha = (Matrix<float>(3, 2) << 1, -2, 3, 4, 5, 6).finished();

void save(const RunDirectory& run) {
  StateWriter state = run.write_state("rfm.0");
  state.add<float>("alpha", kAlpha);
  state.commit({{"iteration", 0}, {"loss", 0.1 + 0.2}, {"none", std::nan("")}, {"text", "a\xff"}});
}

std::string damage(const RunDirectory& run) {
  return message_of<DataError>([&] { run.load_state("rfm.0").array<float>("alpha", 3, 2); });
}

}  // namespace

TEST_CASE("a state gives back its values and arrays to the last bit") {
  const TemporaryFolder folder;
  const RunDirectory run = open_run(folder / "x");
  CHECK_FALSE(run.has_state("rfm.0"));
  CHECK_FALSE(run.has_state(std::string(4000, 'x')));
  save(run);
  REQUIRE(run.has_state("rfm.0"));
  const SavedState state = run.load_state("rfm.0");
  CHECK(state.value().at("loss").number() == 0.1 + 0.2);
  CHECK(std::isnan(state.value().at("none").number()));
  CHECK(state.has("alpha"));
  CHECK_FALSE(state.has("M"));
  CHECK(state.rows("alpha") == 3);
  CHECK(state.array<float>("alpha", 3, 2) == kAlpha);
  CHECK_THROWS_AS(run.load_state("rfm.1"), DataError);
}

TEST_CASE("a state that is written again does not count until it is committed") {
  const TemporaryFolder folder;
  const RunDirectory run = open_run(folder / "x");
  save(run);
  StateWriter again = run.write_state("rfm.0");
  CHECK_FALSE(run.has_state("rfm.0"));
  again.add<float>("alpha", 2 * kAlpha);
  again.commit({});
  CHECK(run.load_state("rfm.0").array<float>("alpha", 3, 2) == 2 * kAlpha);
}

TEST_CASE("arrays other than those committed are refused, naming the file") {
  const TemporaryFolder folder;
  const RunDirectory run = open_run(folder / "x");
  save(run);
  const fs::path file = folder / "x/state/rfm.0.alpha.npy";
  const auto refused = [&](const Matrix<float>& a) {
    write_npy<float>(file, a);
    CHECK(contains(damage(run), file.string() + ": "));
  };
  refused(-kAlpha);
  refused(kAlpha.leftCols(1));
  refused(kAlpha.transpose());
  refused(Matrix<float>(0, 2));
  write_npy<float>(file, Vector<float>(Vector<float>::Zero(0)));
  CHECK(contains(damage(run), file.string()));
  write_npy<double>(file, Matrix<double>(kAlpha.cast<double>()));
  CHECK(contains(damage(run), "type <f8"));
  write_bytes(file, "\x93NUMPY");
  CHECK(contains(damage(run), file.string()));
  write_bytes(file, "");
  CHECK(contains(damage(run), file.string()));
  fs::remove(file);
  CHECK(contains(damage(run), file.string()));
  write_npy<float>(file, kAlpha);
  CHECK(damage(run).empty());
  CHECK(contains(message_of<DataError>([&] { run.load_state("rfm.0").array<float>("alpha", 2, 3); }), file.string()));
  CHECK(contains(message_of<DataError>([&] { run.load_state("rfm.0").array<double>("alpha", 3, 2); }), file.string()));
  CHECK(
      contains(message_of<DataError>([&] { run.load_state("rfm.0").array<float>("M", 3, 2); }), "arrays.M is missing"));
}

TEST_CASE("a commit that was damaged or edited is refused, naming the file") {
  const TemporaryFolder folder;
  const RunDirectory run = open_run(folder / "x");
  save(run);
  const fs::path file = folder / "x/state/rfm.0.json";
  const std::string good = read_bytes(file);
  std::string edited = good;
  edited.replace(edited.find("0.3"), 3, "0.4");
  for (const std::string& text :
       {std::string(), std::string("{}"), std::string("[]"), std::string("7"), std::string("null"),
        std::string("{\"crc32\": 5}"), std::string("{\"epoch\": "), good.substr(0, good.size() / 2), edited}) {
    INFO(text);
    write_bytes(file, text);
    CHECK(contains(damage(run), file.string() + ": "));
  }
  write_bytes(file, good);
  CHECK(damage(run).empty());
}

TEST_CASE("a whole state in the place of another stage's is refused") {
  const TemporaryFolder folder;
  const RunDirectory run = open_run(folder / "x");
  save(run);
  for (const char* end : {".json", ".alpha.npy"})
    fs::copy_file(run.state_path(std::string("rfm.0") + end), run.state_path(std::string("rfm.1") + end));
  CHECK(contains(message_of<DataError>([&] { run.load_state("rfm.1"); }),
                 "rfm.1.json: it is the saved state of another"));
}
