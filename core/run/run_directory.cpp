#include "core/run/run_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/files/files.h"
#include "core/files/npy.h"
#include "core/run/begun_run.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

bool holds_something(const fs::path& folder) {
  std::error_code error;
  return fs::directory_iterator(folder, error) != fs::directory_iterator();
}

/// A locked descriptor of the folder. File systems that cannot lock go without.
std::shared_ptr<const int> lock_folder(const fs::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) throw OutputError("cannot open " + folder.string() + ": " + std::generic_category().message(errno));
  std::shared_ptr<const int> lock(new int(fd), [](const int* held) {
    ::close(*held);
    delete held;
  });
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw OutputError(folder.string() + ": another process is running here; wait for it, or choose another `out`");
  return lock;
}

/// What a killed process left half-written.
void remove_temporary_files(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> stale;
  for (fs::recursive_directory_iterator at(folder, error), end; at != end; at.increment(error)) {
    if (is_temporary_file(at->path())) stale.push_back(at->path());
    if (error) break;
  }
  for (const fs::path& path : stale) fs::remove(path, error);
}

/// An object that is empty if there is none: killed before it was written.
JsonValue manifest_so_far(const fs::path& run) {
  std::error_code error;
  const fs::path file = run / "manifest.json";
  return fs::exists(file, error) ? read_manifest(run) : JsonValue(Json::object(), file);
}

/// None while the run is unfinished.
std::optional<Index> exit_status_of(const JsonValue& manifest) {
  const std::optional<JsonValue> status = manifest.find("exit_status");
  if (!status) return std::nullopt;
  return status->integer(0, 255);
}

std::string dump(const Json& value) { return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

fs::path in_made_folder(const fs::path& file) {
  make_folder(file.parent_path());
  return file;
}

/// A run that ended in an error (not one that was interrupted or killed): nothing in it is worth going on with. Not so
/// where the manifest is damaged.
bool has_failed(const fs::path& run) {
  try {
    const Index status = exit_status_of(manifest_so_far(run)).value_or(0);
    return status != 0 && status != 130;
  } catch (const DataError&) {
    return false;
  }
}

/// The names in the manifest's list of tables; whatever else a damaged manifest names there is not ours.
std::vector<std::string> tables_in(const JsonValue& manifest) {
  std::vector<std::string> names;
  const auto tables = manifest.find("tables");
  if (!tables) return names;
  for (const JsonValue& table : tables->list()) {
    const fs::path name = table.text();
    if (name.filename() == name && name.extension() == ".csv") names.push_back(table.text());
  }
  return names;
}

/// Removes what a run writes, and nothing else.
void remove_run(const fs::path& run) {
  std::vector<std::string> names = tables_in(manifest_so_far(run));
  names.insert(names.end(), {"config.yaml", "manifest.json", "metrics.json", "history.csv", "report.html", "matrices",
                             "predictions", "models", "images", "state", "parts"});
  for (const std::string& name : names) {
    std::error_code ignored;
    fs::remove_all(run / name, ignored);
  }
  for (int repeat = 1; fs::exists(run / ("repeat-" + std::to_string(repeat))); ++repeat)
    fs::remove_all(run / ("repeat-" + std::to_string(repeat)));
}

/// What a run went on from, and its parts.
void remove_state(const fs::path& run) {
  std::error_code ignored;
  fs::remove_all(run / "state", ignored);
  for (fs::directory_iterator part(run / "parts", ignored), end; part != end; part.increment(ignored)) {
    std::error_code none_there;
    fs::remove_all(part->path() / "state", none_there);
  }
}

}  // namespace

RunDirectory::RunDirectory(fs::path path, bool is_part) : path_(std::move(path)), is_part_(is_part) {
  make_folder(path_);
  lock_ = lock_folder(path_);
}

void RunDirectory::check_usable(const fs::path& path, bool resume) {
  if (path.empty()) throw OutputError("the run directory has no name; give one with `out`");
  std::error_code error;
  fs::path existing = fs::absolute(path).lexically_normal();
  if (!existing.has_filename()) existing = existing.parent_path();  // a trailing slash
  const bool exists = fs::exists(fs::symlink_status(existing, error));
  while (!fs::exists(fs::status(existing, error)) && existing.has_relative_path()) existing = existing.parent_path();
  const std::string& name = path.string();
  if (!fs::is_directory(existing, error))
    throw OutputError("cannot create " + name + ": " + existing.string() + " is not a folder; choose another `out`");
  if (::access(existing.c_str(), W_OK | X_OK) != 0)
    throw OutputError("cannot write to " + existing.string() + ": " + std::generic_category().message(errno) +
                      "; choose another `out`");
  if (exists && !resume && holds_something(existing) && !has_failed(existing))
    throw OutputError(name + " exists; choose another `out`, delete it, or go on with `resume`");
}

RunDirectory RunDirectory::open(const fs::path& path, const std::string& resolved_config, Json manifest, bool resume) {
  check_usable(path, resume);
  RunDirectory run(path, false);
  run.start(resolved_config, std::move(manifest), resume);
  return run;
}

RunDirectory RunDirectory::part(const std::string& name) const {
  RunDirectory part(path_ / "parts" / name, true);
  Json manifest = manifest_so_far(path_).json();
  manifest["part"] = name;
  part.start("# part " + name + " of this experiment\n" + read_file(path_ / "config.yaml"), std::move(manifest), true);
  return part;
}

ConfigValue RunDirectory::config() const {
  const fs::path file = path_ / "config.yaml";
  return config_values(read_file(file), file.string());
}

void RunDirectory::start(const std::string& resolved_config, Json manifest, bool resume) {
  if (resume) remove_temporary_files(path_);
  const bool anew = !resume && has_failed(path_);
  if (anew) remove_run(path_);
  if (anew || !holds_something(path_))
    begin(resolved_config, std::move(manifest));
  else if (resume && fs::exists(path_ / "config.yaml"))
    go_on(resolved_config, std::move(manifest));
  else
    throw OutputError(path_.string() + " holds files that are not of a run (no config.yaml); choose another `out`");
}

void RunDirectory::begin(const std::string& resolved_config, Json manifest) const {
  write_text("config.yaml", resolved_config);
  Json first = {{"status", "running"}, {"start", timestamp()}};
  first.update(manifest);
  first[kConfigChecksum] = config_checksum(resolved_config);
  write_json("manifest.json", first);
  make_folder(path_ / "state");
}

void RunDirectory::go_on(const std::string& resolved_config, Json manifest) {
  require_same_config(path_ / "config.yaml", resolved_config);
  const JsonValue before = manifest_so_far(path_);
  require_config_as_begun(path_, before);
  const std::optional<Index> status = exit_status_of(before);
  finished_ = status && *status == 0 && (!is_part_ || fs::is_directory(path_ / "state"));
  if (finished_) {
    if (!is_part_) remove_state(path_);  // killed between the manifest and this
    return;
  }
  if (const std::vector<std::string> changes = changed_circumstances(before, manifest); !changes.empty())
    spdlog::warn("{}: goes on in other circumstances, so that the last digits may not be those of an unbroken run: {}",
                 path_.string(), fmt::join(changes, "; "));
  Json now = {{"status", "running"}, {"start", before.text("start", timestamp())}, {"resumed", Json::array()}};
  if (const auto resumed = before.find("resumed"))
    for (const JsonValue& time : resumed->list()) now["resumed"].push_back(time.text());
  now["resumed"].push_back(timestamp());
  for (const char* key : {"data_read", "tables", "config_notes", "seconds"})
    if (const auto said = before.find(key)) now[key] = said->json();
  now.update(manifest);
  now[kConfigChecksum] = config_checksum(resolved_config);
  write_json("manifest.json", now);
  make_folder(path_ / "state");
  std::error_code none_there;
  fs::remove(path_ / "history.csv", none_there);  // the stages write their rows again, from state/
}

template <class Scalar>
void RunDirectory::write_array(const std::string& relative, const Matrix<Scalar>& a) const {
  write_npy<Scalar>(in_made_folder(path_ / relative), a);
}

void RunDirectory::write_text(const std::string& relative, std::string_view text) const {
  write_file_atomically(in_made_folder(path_ / relative), text);
}

void RunDirectory::write_json(const std::string& relative, const Json& value) const {
  write_text(relative, dump(value));
}

void RunDirectory::write_table(const std::string& name, std::string_view csv) const {
  std::vector<std::string> names = tables_in(manifest_so_far(path_));
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    names.push_back(name);
    amend_manifest("tables", names);
  }
  write_text(name, csv);
}

void RunDirectory::amend_manifest(const char* key, const Json& value) const {
  Json manifest = manifest_so_far(path_).json();
  manifest[key] = value;
  write_json("manifest.json", manifest);
}

bool RunDirectory::has_state(const std::string& stage) const {
  std::error_code error;
  return fs::exists(state_path(stage + ".json"), error);
}

StateWriter RunDirectory::write_state(const std::string& stage) const { return StateWriter(path_ / "state", stage); }

void RunDirectory::save_state(const std::string& stage, const Json& value) const { write_state(stage).commit(value); }

SavedState RunDirectory::load_state(const std::string& stage) const { return SavedState(path_ / "state", stage); }

fs::path RunDirectory::state_path(const std::string& file) const { return path_ / "state" / file; }

void RunDirectory::finish(int exit_status, const std::string& message) const {
  try {
    Json manifest = manifest_so_far(path_).json();
    manifest["status"] = exit_status == 0 ? "finished" : exit_status == 130 ? "interrupted" : "failed";
    manifest["end"] = timestamp();
    manifest["exit_status"] = exit_status;
    manifest.erase("message");
    if (!message.empty()) manifest["message"] = message;
    write_json("manifest.json", manifest);
  } catch (const Error&) {
    if (exit_status == 0) throw;
  }
  if (exit_status == 0 && !is_part_) remove_state(path_);
}

JsonValue read_metrics(const fs::path& run) {
  JsonValue metrics = JsonValue::read(run / "metrics.json");
  metrics.at("schema").integer(1, 1);
  return metrics;
}

JsonValue read_manifest(const fs::path& run) {
  JsonValue manifest = JsonValue::read(run / "manifest.json");
  manifest.at("status").text();
  return manifest;
}

template void RunDirectory::write_array<float>(const std::string&, const Matrix<float>&) const;
template void RunDirectory::write_array<double>(const std::string&, const Matrix<double>&) const;

}  // namespace ansatz
