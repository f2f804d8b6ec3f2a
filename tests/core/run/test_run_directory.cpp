#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/error.h"
#include "core/run/run_directory.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

using namespace ansatz;
namespace fs = std::filesystem;

namespace {

const std::string kConfig = "seed: 1\nrfm:\n  ridge: 0.001\n";

RunDirectory open_run(const fs::path& path, bool resume = false, const std::string& config = kConfig) {
  return RunDirectory::open(path, config, {{"version", "test"}}, resume);
}

Json manifest_of(const fs::path& run) { return Json::parse(read_bytes(run / "manifest.json")); }

std::string output_error(const fs::path& path, bool resume = false) {
  const std::string checked = message_of<OutputError>([&] { RunDirectory::check_usable(path, resume); });
  const std::string opened = message_of<OutputError>([&] { open_run(path, resume); });
  CHECK((checked.empty() || checked == opened));
  return opened;
}

}  // namespace

TEST_CASE("a new run holds its config, a running manifest and a place for state") {
  const TemporaryFolder folder;
  const fs::path path = folder / "runs/deep/x";
  const RunDirectory run = open_run(path);
  CHECK_FALSE(run.finished());
  CHECK(run.path() == path);
  CHECK(read_bytes(path / "config.yaml") == kConfig);
  const Json manifest = manifest_of(path);
  CHECK(manifest["status"] == "running");
  CHECK(manifest["version"] == "test");
  CHECK(manifest["start"].get<std::string>().size() == std::string("2024-01-01T00:00:00Z").size());
  CHECK_FALSE(manifest.contains("exit_status"));
  CHECK(fs::is_directory(path / "state"));

  fs::create_directory(folder / "empty");
  CHECK_NOTHROW(open_run(folder / "empty"));
  CHECK_NOTHROW(open_run(folder / "fresh", true));
  CHECK_NOTHROW(open_run(folder / "slash/"));
}

TEST_CASE("tables of an experiment are in the manifest, and go with a failed run that is replaced") {
  const TemporaryFolder folder;
  const fs::path path = folder / "x";
  {
    const RunDirectory run = open_run(path);
    run.write_table("sweep.csv", "a,b\n");
    run.write_table("sweep.csv", "a,b\n1,2\n");
    CHECK(manifest_of(path)["tables"] == Json::array({"sweep.csv"}));
    run.finish(130);
  }
  {
    const RunDirectory again = open_run(path, true);
    CHECK(manifest_of(path)["tables"] == Json::array({"sweep.csv"}));
    again.amend_manifest("tables", {"sweep.csv", "../own.csv", "notes.txt", ".."});
    again.finish(5);
  }
  for (const char* name : {"x/own.csv", "x/notes.txt", "own.csv"}) write_bytes(folder / name, "mine");
  open_run(path);
  CHECK_FALSE(fs::exists(path / "sweep.csv"));
  for (const char* name : {"x/own.csv", "x/notes.txt", "own.csv"}) CHECK(fs::exists(folder / name));
}

TEST_CASE("finishing records the outcome and removes the state of a good run only") {
  const TemporaryFolder folder;
  {
    const RunDirectory run = open_run(folder / "good");
    run.save_state("rfm.0", {{"a", 1}});
    run.finish(0);
  }
  CHECK(manifest_of(folder / "good")["status"] == "finished");
  CHECK(manifest_of(folder / "good")["exit_status"] == 0);
  CHECK(manifest_of(folder / "good").contains("end"));
  CHECK_FALSE(fs::exists(folder / "good/state"));
  CHECK(open_run(folder / "good", true).finished());

  {
    const RunDirectory run = open_run(folder / "bad");
    run.save_state("rfm.0", {{"a", 1}});
    run.finish(130, "interrupted");
  }
  CHECK(manifest_of(folder / "bad")["status"] == "interrupted");
  CHECK(manifest_of(folder / "bad")["message"] == "interrupted");
  const RunDirectory again = open_run(folder / "bad", true);
  CHECK_FALSE(again.finished());
  CHECK(again.load_state("rfm.0").value().at("a").integer(0, 9) == 1);
  CHECK(manifest_of(folder / "bad")["status"] == "running");
  CHECK(manifest_of(folder / "bad")["resumed"].size() == 1);
  CHECK_FALSE(manifest_of(folder / "bad").contains("exit_status"));
  again.finish(5, "not finite");
  CHECK(manifest_of(folder / "bad")["status"] == "failed");
}

TEST_CASE("a run of parts that failed may be started again in its place, which leaves files of others alone") {
  const TemporaryFolder folder;
  {
    const RunDirectory run = open_run(folder / "run");
    run.write_table("sweep.csv", "part\n");
    run.finish(3, "no data");
  }
  open_run(folder / "run/parts/first").finish(0);
  write_bytes(folder / "run/notes.txt", "mine");
  const RunDirectory again = open_run(folder / "run");
  CHECK(manifest_of(folder / "run")["status"] == "running");
  CHECK(fs::exists(folder / "run/config.yaml"));
  CHECK_FALSE(fs::exists(folder / "run/parts"));
  CHECK_FALSE(fs::exists(folder / "run/sweep.csv"));
  CHECK(read_bytes(folder / "run/notes.txt") == "mine");
}

TEST_CASE("a place that cannot be used is an error that says how to mend it") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "x");
  write_bytes(folder / "x/notes.txt", "mine");
  CHECK(output_error(folder / "x") ==
        (folder / "x").string() + " exists; choose another `out`, delete it, or go on with `resume`");
  CHECK(contains(output_error(folder / "x", true), "holds files that are not of a run"));
  CHECK(read_bytes(folder / "x/notes.txt") == "mine");

  write_bytes(folder / "file", "x");
  CHECK(contains(output_error(folder / "file"), "file is not a folder"));
  CHECK(contains(output_error(folder / "file/below/x"), (folder / "file").string() + " is not a folder"));
  CHECK(contains(output_error(""), "has no name"));
  CHECK_FALSE(output_error("/proc/x").empty());
  if (::geteuid() != 0) {
    fs::create_directory(folder / "sealed");
    fs::permissions(folder / "sealed", fs::perms::owner_read | fs::perms::owner_exec);
    CHECK(contains(output_error(folder / "sealed/x"), "Permission denied"));
    fs::permissions(folder / "sealed", fs::perms::owner_all);
  }
}

TEST_CASE("checking a place changes nothing") {
  const TemporaryFolder folder;
  CHECK_NOTHROW(RunDirectory::check_usable(folder / "a/b", false));
  CHECK_NOTHROW(RunDirectory::check_usable("relative-name-that-is-not-there", false));
  CHECK(fs::is_empty(folder.path()));
}

TEST_CASE("resuming needs the same config and names the first line that differs") {
  const TemporaryFolder folder;
  const fs::path path = folder / "x";
  open_run(path);
  const auto error = [&](const std::string& config) {
    return message_of<ConfigError>([&] { open_run(path, true, config); });
  };
  const std::string changed = error("seed: 1\nrfm:\n  ridge: 0.01\n");
  CHECK(contains(changed, "config.yaml:3: the run was started with `  ridge: 0.001`, now it is `  ridge: 0.01`"));
  CHECK(contains(error(kConfig + "save: {}\n"), ":4: the run was started with nothing here, now it is `save: {}`"));
  CHECK(contains(error("seed: 1\nrfm:\n"), ":3: the run was started with `  ridge: 0.001`, now it is nothing"));
  CHECK(error(kConfig).empty());
  CHECK(read_bytes(path / "config.yaml") == kConfig);
}

TEST_CASE("what a killed run left half-written is cleared away on resuming") {
  const TemporaryFolder folder;
  const fs::path path = folder / "x";
  open_run(path).write_text("matrices/a.txt", "whole");
  write_bytes(path / "matrices/.b.npy.123-4.tmp", "half");
  write_bytes(path / "state/.rfm.0.json.123-5.tmp", "half");
  open_run(path, true);
  CHECK_FALSE(fs::exists(path / "matrices/.b.npy.123-4.tmp"));
  CHECK_FALSE(fs::exists(path / "state/.rfm.0.json.123-5.tmp"));
  CHECK(read_bytes(path / "matrices/a.txt") == "whole");

  fs::create_directory(folder / "early");  // killed before its first file was whole
  write_bytes(folder / "early/.config.yaml.123-0.tmp", "see");
  CHECK_NOTHROW(open_run(folder / "early", true));
  CHECK(read_bytes(folder / "early/config.yaml") == kConfig);

  open_run(folder / "bare").save_state("a", 1);
  fs::remove(folder / "bare/manifest.json");  // killed before its second file was whole
  CHECK_FALSE(open_run(folder / "bare", true).finished());
}

TEST_CASE("a damaged manifest is an error that names it, and keeps the run from being replaced") {
  const TemporaryFolder folder;
  const fs::path file = folder / "x/manifest.json";
  open_run(folder / "x").finish(0);
  for (const std::string text :
       {"{\"exit_st", "{}", "[]", "7", "\"x\"", R"({"status": 3})", R"({"status": "finished", "exit_status": "0"})",
        R"({"status": "finished", "exit_status": 1.5})", R"({"status": "finished", "exit_status": 1e99})",
        R"({"status": "running", "start": 7})", R"({"status": "running", "resumed": 7})"}) {
    INFO(text);
    write_bytes(file, text);
    CHECK(contains(message_of<DataError>([&] { open_run(folder / "x", true); }), file.string() + ": "));
    CHECK(contains(output_error(folder / "x"), "exists; choose another `out`"));
    CHECK(read_bytes(file) == text);
  }
}

TEST_CASE("a part that is finished keeps its state until the whole is, and is left as it is") {
  const TemporaryFolder folder;
  const fs::path part = folder / "x/parts/first";
  {
    const RunDirectory whole = open_run(folder / "x");
    const RunDirectory first = whole.part("first");
    CHECK_FALSE(first.finished());
    first.append_history("network,0,1");
    first.save_state("a", 1);
    first.finish(0);
  }
  CHECK(manifest_of(part)["exit_status"] == 0);
  CHECK(manifest_of(part)["part"] == "first");
  const std::string manifest = read_bytes(part / "manifest.json"), history = read_bytes(part / "history.csv");
  {
    const RunDirectory whole = open_run(folder / "x", true);
    const RunDirectory first = whole.part("first");
    CHECK(first.finished());
    CHECK(first.load_state("a").value().integer(0, 9) == 1);
    first.restart_history("network", {});
    CHECK(read_bytes(part / "manifest.json") == manifest);
    CHECK(read_bytes(part / "history.csv") == history);
    fs::remove_all(part / "state");  // as one whose state went first
    CHECK_FALSE(whole.part("second").finished());
  }
  {
    const RunDirectory whole = open_run(folder / "x", true);
    const RunDirectory first = whole.part("first");
    CHECK_FALSE(first.finished());
    CHECK(fs::is_directory(part / "state"));
    first.finish(0);
    whole.part("second").finish(0);
    fs::create_directory(folder / "y");
    fs::copy(folder / "x", folder / "y/x", fs::copy_options::recursive);
    whole.finish(0);
  }
  CHECK_FALSE(fs::exists(part / "state"));
  CHECK_FALSE(fs::exists(folder / "x/parts/second/state"));

  // Killed after the manifest of the whole and before its parts' state was gone.
  fs::copy_file(folder / "x/manifest.json", folder / "y/x/manifest.json", fs::copy_options::overwrite_existing);
  CHECK(open_run(folder / "y/x", true).finished());
  CHECK_FALSE(fs::exists(folder / "y/x/state"));
  CHECK_FALSE(fs::exists(folder / "y/x/parts/first/state"));
}

TEST_CASE("what stands in history.csv is not believed when a run goes on") {
  const TemporaryFolder folder;
  open_run(folder / "x");
  write_bytes(folder / "x/history.csv", "not a table\n\n,,\nrfm,0,0.1\n");
  const RunDirectory run = open_run(folder / "x", true);
  run.restart_history("network", {"network,0,1"});
  CHECK(read_bytes(folder / "x/history.csv") == std::string(RunDirectory::history_header()) + "\nnetwork,0,1\n");
}

TEST_CASE("one process at a time works in a folder") {
  const TemporaryFolder folder;
  const RunDirectory run = open_run(folder / "x");
  CHECK(contains(message_of<OutputError>([&] { open_run(folder / "x", true); }), "another process"));
}

TEST_CASE("killing a process that writes leaves whole files only") {
  const TemporaryFolder folder;
  const fs::path path = folder / "x";
  const std::string header = RunDirectory::history_header();
  const auto cells = std::count(header.begin(), header.end(), ',') + 1;
  open_run(path).save_state("s", Json::array({0}));
  for (int round = 0; round < 5; ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      const RunDirectory run = open_run(path, true);
      for (int i = 1;; ++i) {
        run.save_state("s", Json(std::vector<int>(5000, i)));
        run.write_text("w", std::string(5000, static_cast<char>('a' + i % 26)));
        run.append_history("network," + std::to_string(i) + std::string(cells - 2, ','));
      }
    }
    ::usleep(static_cast<useconds_t>(20'000 + 7'000 * round));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const RunDirectory run = open_run(path, true);
    if (run.has_state("s")) {  // or killed while it was about to be replaced
      const Json state = run.load_state("s").value().json();
      CHECK(state.front() == state.back());
    }
    if (fs::exists(path / "w")) {
      const std::string text = read_bytes(path / "w");
      CHECK(text == std::string(5000, text.front()));
    }
    run.restart_history("rfm", {});
    std::istringstream lines(read_bytes(path / "history.csv"));
    for (std::string line; std::getline(lines, line);) CHECK(std::count(line.begin(), line.end(), ',') + 1 == cells);
  }
}

TEST_CASE("JSON is indented, with null for what JSON cannot say") {
  const TemporaryFolder folder;
  const RunDirectory run = open_run(folder / "x");
  run.write_json("metrics.json",
                 {{"z", std::nan("")}, {"a", std::numeric_limits<double>::infinity()}, {"text", "\xff"}});
  CHECK(read_bytes(folder / "x/metrics.json") ==
        "{\n  \"z\": null,\n  \"a\": null,\n  \"text\": \"\xEF\xBF\xBD\"\n}\n");
}

TEST_CASE("history rows have a cell for each column, empty where nothing is known") {
  HistoryRow row;
  row.model = "network";
  row.step = 7;
  row.train_loss = 0.1;
  row.validation = Metrics{0.5, 0.25, std::nan("")};
  row.seconds = 2;
  CHECK(format_history(row) == "network,7,0.1,,,,,0.5,0.25,nan,,,,,,2");
  row.model = "a,\"b\"";
  row.train = Metrics{std::nullopt, 1, 0.5};
  CHECK(format_history(row) == "\"a,\"\"b\"\"\",7,0.1,,1,0.5,,0.5,0.25,nan,,,,,,2");
  row.test = Metrics{0.5, std::nan(""), std::nan(""), 0.75};  // of logits
  CHECK(format_history(row) == "\"a,\"\"b\"\"\",7,0.1,,1,0.5,,0.5,0.25,nan,,0.5,,,0.75,2");
  const std::string header = RunDirectory::history_header();
  const std::string plain = format_history(HistoryRow{"x", 0, {}, {}, {}, {}, {}});
  CHECK(std::count(header.begin(), header.end(), ',') == std::count(plain.begin(), plain.end(), ','));
}

TEST_CASE("history keeps other models' rows when one starts again") {
  const TemporaryFolder folder;
  const RunDirectory run = open_run(folder / "x");
  const std::string header = std::string(RunDirectory::history_header()) + "\n";
  const auto history = [&] { return read_bytes(folder / "x/history.csv"); };
  run.append_history("network,0,1");
  run.append_history("network,1,0.5");
  run.append_history("network2,0,1");
  CHECK(history() == header + "network,0,1\nnetwork,1,0.5\nnetwork2,0,1\n");
  write_bytes(folder / "x/history.csv", history() + "rfm,0,0.");  // cut short by a kill
  run.restart_history("network", {"network,0,1"});
  CHECK(history() == header + "network2,0,1\nnetwork,0,1\n");
  run.restart_history("rfm", {});
  run.append_history("rfm,0,0.25");
  CHECK(history() == header + "network2,0,1\nnetwork,0,1\nrfm,0,0.25\n");
}

TEST_CASE("a full disk is an error that names the file, and finishing badly does not hide its cause") {
  const TemporaryFolder folder;
  const RunDirectory run = open_run(folder / "x");
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit none{0, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &none);
  const std::string message = message_of<OutputError>([&] { run.write_text("metrics.json", "{}"); });
  CHECK_NOTHROW(run.finish(5, "not finite"));
  CHECK_THROWS_AS(run.finish(0), OutputError);
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK(contains(message, "metrics.json: File too large"));
  CHECK_FALSE(fs::exists(folder / "x/metrics.json"));
  CHECK(manifest_of(folder / "x")["status"] == "running");
}

TEST_CASE("the manifest states what ran where") {
  const Json manifest = build_manifest();
  for (const char* key : {"version", "git_revision", "build", "libraries", "blas", "threads", "host"})
    CHECK(manifest.contains(key));
  for (const char* library : {"eigen", "openblas", "yaml-cpp", "nlohmann-json"}) {
    const std::string version = manifest["libraries"][library];
    CHECK(version.find('.') != std::string::npos);
  }
  CHECK(manifest["threads"].get<int>() >= 1);
  CHECK(manifest["host"]["memory_gib"].get<double>() > 0.1);
  CHECK_FALSE(manifest["build"]["compiler"].get<std::string>().empty());
}
