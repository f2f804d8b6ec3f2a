#include <zlib.h>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/files/npy.h"
#include "core/record/json/run_record_json.h"
#include "core/run/input_digest.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

using namespace ansatz;
namespace fs = std::filesystem;

namespace {

struct Arrays {
  TemporaryFolder folder;
  DatasetOptions options;
  Matrix<float> x = Matrix<float>::Random(12, 3), y = Matrix<float>::Random(12, 1);

  Arrays() {
    options.name = "arrays";
    options.arrays.train_inputs = folder / "x.npy";
    options.arrays.train_targets = folder / "y.npy";
    options.arrays.test_inputs = folder / "x.npy";
    options.arrays.test_targets = folder / "y.npy";
    write();
  }
  void write() const {
    write_npy<float>(options.arrays.train_inputs, x);
    write_npy<float>(options.arrays.train_targets, y);
  }
  InputDigest digest() const {
    InputDigest digest;
    digest.add(load_dataset<float>(options, RandomStream(1)));
    digest.add_sources(options);
    return digest;
  }
};

RunDirectory open_run(const fs::path& path, bool resume = false) {
  return RunDirectory::open(path, "seed: 1\n", Json::object(), resume);
}

}  // namespace

TEST_CASE("a digest states shape and checksum of every array, and where it came from") {
  const Arrays arrays;
  InputDigest digest;
  digest.add<float>("a", arrays.x);
  digest.add_source(arrays.options.arrays.train_inputs);
  const auto* bytes = reinterpret_cast<const Bytef*>(arrays.x.data());
  CHECK(to_json(digest.values())["a"] ==
        "12 x 3 float32, crc32 " + std::to_string(::crc32(::crc32(0, nullptr, 0), bytes, 12 * 3 * 4)));
  const Json& source = digest.sources().at(0);
  CHECK(source["path"] == arrays.options.arrays.train_inputs.string());
  CHECK(source["files"] == 1);
  CHECK(source["bytes"] == fs::file_size(arrays.options.arrays.train_inputs));
  CHECK(arrays.digest().values().size() >= 4);
  CHECK(arrays.digest().sources().size() == 4);
}

TEST_CASE("a run goes on with the data it began with, whatever their time") {
  const Arrays arrays;
  {
    const RunDirectory run = open_run(arrays.folder / "run");
    arrays.digest().keep_in(run);
    CHECK(Json::parse(read_bytes(run.path() / "manifest.json"))["data_read"].size() == 4);
  }
  arrays.write();
  fs::last_write_time(arrays.options.arrays.train_inputs, fs::file_time_type::clock::now() + std::chrono::hours(1));
  const RunDirectory run = open_run(arrays.folder / "run", true);
  CHECK_NOTHROW(arrays.digest().keep_in(run));
  CHECK(Json::parse(read_bytes(run.path() / "manifest.json"))["data_read"].size() == 4);
}

TEST_CASE("a run does not go on with other data, and says what has changed") {
  Arrays arrays;
  arrays.digest().keep_in(open_run(arrays.folder / "run"));
  SECTION("one value of the inputs") { arrays.x(7, 2) += 1; }
  SECTION("the sign of a target") { arrays.y(0, 0) *= -1; }
  SECTION("fewer rows") {
    arrays.x.conservativeResize(11, 3);
    arrays.y.conservativeResize(11, 1);
  }
  arrays.write();
  fs::last_write_time(arrays.options.arrays.train_inputs, fs::file_time_type::clock::now() + std::chrono::hours(1));
  const RunDirectory run = open_run(arrays.folder / "run", true);
  const std::string error = message_of<DataError>([&] { arrays.digest().keep_in(run); });
  CHECK(contains(error, "the data are not those that the run began with"));
  CHECK(contains(error, "train_"));
  CHECK(contains(error, arrays.options.arrays.train_inputs.string() + " was "));
  CHECK(contains(error, "restore them"));
}

TEST_CASE("the next of several runs wants the data of the first, or of its parts") {
  Arrays arrays;
  const fs::path first = arrays.folder / "repeat-1";
  const bool of_parts = GENERATE(false, true);
  {
    const RunDirectory run = open_run(first);
    arrays.digest().keep_in(of_parts ? run.part("a") : run);
  }
  CHECK_NOTHROW(require_same_data(first));
  arrays.y.conservativeResize(11, 1);
  arrays.write();
  const std::string error = message_of<DataError>([&] { require_same_data(first); });
  CHECK(contains(error, arrays.options.arrays.train_targets.string() + " was "));
  CHECK(contains(error, "start again with another `out`"));
}

TEST_CASE("a run that has begun and lost its digest does not go on") {
  const Arrays arrays;
  const RunDirectory run = open_run(arrays.folder / "run");
  run.save_state("rfm.0", 1);
  CHECK(contains(message_of<DataError>([&] { arrays.digest().keep_in(run); }), "state/data.json: missing"));
}

TEST_CASE("folders count their files, directly or all below") {
  const TemporaryFolder folder;
  fs::create_directories(folder / "a/b");
  write_bytes(folder / "a/1", "x");
  write_bytes(folder / "a/b/2", "xyz");
  InputDigest digest;
  digest.add_source(folder / "a");
  digest.add_source(folder / "a", true);
  digest.add_source(folder / "none");
  CHECK(digest.sources()[0]["bytes"] == 1);
  CHECK(digest.sources()[1]["files"] == 2);
  CHECK(digest.sources()[1]["bytes"] == 4);
  CHECK(digest.sources()[2]["files"] == 0);
}
