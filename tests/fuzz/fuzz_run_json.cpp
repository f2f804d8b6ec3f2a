// Input: a byte that chooses a file of an unfinished run, then what that file holds; or (3) the value of a stage's
// state, for which the file is made here, since mutations seldom leave its checksum right.
#include <array>
#include <nlohmann/json.hpp>

#include "core/record/json/fit_json.h"
#include "core/run/run_directory.h"
#include "tests/fuzz/fuzz.h"

using namespace ansatz;

namespace {

constexpr const char* kConfig = "seed: 1\n";

/// A run that was killed after a stage.
void write_run(const fuzz::Folder& folder) {
  std::filesystem::remove_all(folder.path() / "run");
  std::filesystem::create_directories(folder.path() / "run/state");
  folder.write("run/config.yaml", kConfig);
  folder.write("run/manifest.json", R"({"status": "running", "start": "2024-01-01T00:00:00Z"})");
  folder.write("run/history.csv", std::string(RunDirectory::history_header()) + "\nrfm,0,,,1,0,,,,,,,,,,\n");
}

/// What `--resume` reads, and a new run in the same place.
void go_on(const std::filesystem::path& path, const Json& value) {
  fuzz::read_or_refuse([&] {
    const RunDirectory run = RunDirectory::open(path, kConfig, {{"version", "1"}}, true);
    if (run.finished()) return;
    if (!value.is_discarded()) run.save_state("rfm.0", value);
    if (run.has_state("rfm.0")) iteration_from_state(run.load_state("rfm.0").value());
    run.restart_history("rfm", {"rfm,0,,,1,0,,,,,,,"});
    run.finish(130);
  });
  fuzz::read_or_refuse([&] { RunDirectory::open(path, kConfig, {{"version", "1"}}, false); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  constexpr std::array<const char*, 3> kFiles = {"run/state/rfm.0.json", "run/manifest.json", "run/history.csv"};
  fuzz::Input input(data, size);
  write_run(folder);
  const std::size_t choice = input.number(1) % (kFiles.size() + 1);
  Json value = Json::value_t::discarded;
  if (choice < kFiles.size())
    folder.write(kFiles[choice], input.rest());
  else
    value = Json::parse(input.rest(), nullptr, false);
  go_on(folder.path() / "run", value);
  return 0;
}
