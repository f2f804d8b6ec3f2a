#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/record/json/repeats_json.h"
#include "core/record/json/run_record_json.h"
#include "core/run/finished_run.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

using namespace ansatz;
namespace fs = std::filesystem;

namespace {

fs::path write(const fs::path& folder, const Json& metrics) {
  fs::create_directories(folder);
  write_bytes(folder / "metrics.json", metrics.dump());
  return folder;
}

/// `config`: YAML; empty: a run of a version that did not keep it in metrics.json.
RunRecord record(const std::string& config, std::uint64_t seed = 0) {
  RunRecord record;
  record.seed = seed;
  record.experiment = "theory";
  record.findings.emplace();
  if (!config.empty()) record.config = config_values(config, "x");
  return record;
}

}  // namespace

TEST_CASE("runs are named by their folders, where these agree by the shortest path that does not") {
  using Names = std::vector<std::string>;
  CHECK(names_of_folders({"runs/a", "runs/b/"}) == Names{"a", "b"});
  CHECK(names_of_folders({"x/rfm", "y/rfm", "z/other"}) == Names{"x/rfm", "y/rfm", "other"});
  CHECK(names_of_folders({"/1/p/rfm", "/2/p/rfm", "/2/q/rfm"}) == Names{"1/p/rfm", "2/p/rfm", "q/rfm"});
  CHECK(names_of_folders({"/a", "/b/a"}) == Names{"/a", "b/a"});
  CHECK(names_of_folders({"a/./b", "a/c/../b"}) == Names{"b", "b"});  // the same folder
  CHECK(names_of_folders({"."}) == Names{fs::current_path().filename().string()});
}

TEST_CASE("finished runs are read with their configs, and the keys in which they differ") {
  const TemporaryFolder folder;
  const fs::path a = write(folder / "a", to_json(record("name: a\nseed: 0\nrfm: {ridge: 1.0e-3, iterations: 3}\n")));
  const fs::path b = write(folder / "b", to_json(record("name: b\nseed: 0\nrfm: {ridge: 0.01}\nw: [1, 2]\n")));
  const fs::path c = write(folder / "c", to_json(record("")));
  write_bytes(c / "config.yaml", "seed: 0\nrfm:\n  ridge: 0.001\n  iterations: 3\nw: [1, 2]\n");
  const std::vector<SettingByRun> settings = differing_settings(read_finished_runs({a, b, c}));
  REQUIRE(settings.size() == 3);
  CHECK(settings[0].key == "rfm.ridge");
  CHECK(settings[0].values == std::vector<std::string>{"0.001", "0.01", "0.001"});
  CHECK(settings[1].key == "rfm.iterations");
  CHECK(settings[1].values == std::vector<std::string>{"3", "", "3"});
  CHECK(settings[2].key == "w");
  CHECK(settings[2].values == std::vector<std::string>{"", "[1, 2]", "[1, 2]"});
}

TEST_CASE("a run with repeats is read with all its seeds") {
  const TemporaryFolder folder;
  RepeatsRecord repeats;
  repeats.experiment = "theory";
  repeats.seeds = {3, 4};
  repeats.config = config_values("repeats: 2\n", "x");
  repeats.findings = FindingsRecord{"less", {}};
  const fs::path all = write(folder / "all", to_json(repeats));
  write(all / "repeat-1", to_json(record("seed: 3\n", 3)));
  const std::string missing = message_of<DataError>([&] { read_finished_runs({all}); });
  CHECK(contains(missing, "repeat-2: metrics.json is not there, although " + all.string() + " was finished with it"));
  CHECK(contains(missing, "put the folder back"));
  CHECK_FALSE(contains(missing, "ansatz resume"));
  write(all / "repeat-2", to_json(record("seed: 4\n", 4)));
  const FinishedRun run = read_finished_runs({all}).front();
  CHECK(run.seeds.size() == 2);
  CHECK(run.findings()->differs == "less");
  CHECK(run.folder_of_seed(1) == all / "repeat-2");
  CHECK(settings_of(run.config) == Settings{{"repeats", "2"}});
}

TEST_CASE("a folder in the place of one of the repeats is refused") {
  const TemporaryFolder folder;
  RepeatsRecord repeats;
  repeats.experiment = "theory";
  repeats.seeds = {3, 4};
  repeats.config = config_values("name: all\nseed: 3\nrepeats: 2\nrfm: {ridge: 1}\n", "x");
  const fs::path all = write(folder / "all", to_json(repeats));
  const auto of_seed = [](std::uint64_t seed, const char* ridge) {
    return to_json(
        record("name: all-x\nrepeats: 1\nseed: " + std::to_string(seed) + "\nrfm: {ridge: " + ridge + "}\n", seed));
  };
  const auto error = [&] { return message_of<DataError>([&] { read_finished_runs({all}); }); };
  write(all / "repeat-1", of_seed(3, "1"));
  write(all / "repeat-2", of_seed(4, "1"));
  CHECK(error().empty());
  write(all / "repeat-2", of_seed(3, "1"));
  CHECK(contains(error(), "repeat-2: is a run with the seed 3, and "));
  write(all / "repeat-2", of_seed(4, "2"));
  CHECK(contains(error(), "repeat-2: is a run of another config than "));
}

TEST_CASE("numbers of a run that did not come to its end are not shown, and the error says what to do") {
  const TemporaryFolder folder;
  const fs::path run = write(folder / "a b", to_json(record("seed: 0\n")));
  const auto error = [&](const char* manifest) {
    write_bytes(run / "manifest.json", manifest);
    return message_of<DataError>([&] { read_finished_runs({run}); });
  };
  CHECK(error(R"({"status": "finished"})").empty());
  for (const char* status : {R"({"status": "running"})", R"({"status": "interrupted"})"}) {
    CHECK(contains(error(status), "is not finished; go on with `ansatz resume '"));
    CHECK(contains(error(status), "a b'`"));
  }
  CHECK(contains(error(R"({"status": "failed", "message": "disk full"})"), "ended in an error (disk full); mend that"));
  fs::remove(run / "metrics.json");
  CHECK(contains(error(R"({"status": "finished"})"), "metrics.json is missing, although it was finished"));
  CHECK(contains(error(R"({"status": "running"})"), "metrics.json is missing); go on with `ansatz resume '"));
}
