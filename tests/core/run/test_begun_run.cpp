#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/run/begun_run.h"
#include "core/run/run_directory.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

using namespace ansatz;
namespace fs = std::filesystem;

namespace {

const std::string kBefore = "rfm:\n  ridge: 0.001\n", kAfter = "rfm:\n  ridge: 0.1\n";

RunDirectory open_run(const fs::path& path, bool resume, const std::string& config) {
  return RunDirectory::open(path, config, {{"version", "1"}}, resume);
}

}  // namespace

TEST_CASE("a run whose config.yaml was edited does not go on from what the config before has computed") {
  const TemporaryFolder folder;
  const fs::path run = folder / "x", file = run / "config.yaml";
  open_run(run, false, kBefore);
  write_bytes(file, kAfter);
  const auto error = [&] { return message_of<ConfigError>([&] { open_run(run, true, kAfter); }); };
  CHECK(contains(error(), file.string() + ": was changed after the run began"));
  CHECK(contains(message_of<ConfigError>([&] { require_config_as_begun(run, read_manifest(run)); }), "was changed"));
  write_bytes(file, kBefore);
  CHECK_NOTHROW(open_run(run, true, kBefore));
  CHECK_NOTHROW(open_run(run, true, kBefore));  // what a resumed run says of its config is the same

  Json manifest = read_manifest(run).json();
  manifest.erase(kConfigChecksum);  // of an earlier version
  write_bytes(run / "manifest.json", manifest.dump());
  write_bytes(file, kAfter);
  CHECK(error().empty());
}

TEST_CASE("a part's config is its own, and the whole of an edited one is refused") {
  const TemporaryFolder folder;
  const fs::path run = folder / "x";
  open_run(run, false, kBefore).part("a");
  CHECK_NOTHROW(open_run(run, true, kBefore).part("a"));
  write_bytes(run / "parts/a/config.yaml", "edited");
  CHECK_FALSE(message_of<ConfigError>([&] { open_run(run, true, kBefore).part("a"); }).empty());
}

TEST_CASE("what of program and machine is another now is said") {
  const JsonValue before(Json{{"version", "1"}, {"git_revision", "abc"}, {"threads", 2}, {"host", "x"}},
                         "manifest.json");
  CHECK(changed_circumstances(before, {{"version", "1"}, {"git_revision", "abc"}, {"threads", 2}, {"host", "y"}})
            .empty());
  const std::vector<std::string> changes =
      changed_circumstances(before, {{"version", "2"}, {"git_revision", "abc"}, {"threads", 4}, {"torch", "2"}});
  CHECK(changes == std::vector<std::string>{"version 1, now 2", "threads 2, now 4"});
}
