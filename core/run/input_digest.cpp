#include "core/run/input_digest.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <ctime>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"
#include "core/files/checksum.h"
#include "core/record/json/run_record_json.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStage = "data";

/// Of one or several files.
struct Extent {
  std::uint64_t files = 0, bytes = 0;
  timespec modified{};  ///< the newest

  void add(const fs::path& file) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return;
    ++files;
    bytes += static_cast<std::uint64_t>(status.st_size);
    const timespec& time = status.st_mtim;
    if (std::pair(time.tv_sec, time.tv_nsec) > std::pair(modified.tv_sec, modified.tv_nsec)) modified = time;
  }
};

template <class Iterator>
Extent extent_below(const fs::path& folder) {
  Extent extent;
  std::error_code error;
  for (Iterator at(folder, fs::directory_options::skip_permission_denied, error), end; !error && at != end;
       at.increment(error))
    extent.add(at->path());
  return extent;
}

Extent extent_of(const fs::path& path, bool all_below) {
  std::error_code error;
  if (fs::is_directory(path, error))
    return all_below ? extent_below<fs::recursive_directory_iterator>(path)
                     : extent_below<fs::directory_iterator>(path);
  Extent extent;
  extent.add(path);
  return extent;
}

std::string utc(const timespec& time) {
  std::tm parts{};
  ::gmtime_r(&time.tv_sec, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  return fmt::format("{}.{:09}Z", text.data(), time.tv_nsec);
}

Json source_at(const fs::path& path, bool all_below) {
  const Extent extent = extent_of(path, all_below);
  Json source = {{"path", fs::absolute(path).lexically_normal().string()},
                 {"files", extent.files},
                 {"bytes", extent.bytes},
                 {"modified", utc(extent.modified)}};
  if (all_below) source["all_below"] = true;
  return source;
}

std::string described(const JsonValue& source) {
  return fmt::format("{} bytes of {}", source.at("bytes").json().dump(), source.at("modified").text());
}

/// "; <path> was ... and is ..." for each source that is another now.
std::string changed_sources(const JsonValue& before, const JsonValue& now) {
  std::string text;
  for (const JsonValue& is : now.list()) {
    for (const JsonValue& was : before.list()) {
      if (was.at("path").text() == is.at("path").text() && was.json() != is.json())
        text += fmt::format("; {} was {} and is {}", is.at("path").text(), described(was), described(is));
    }
  }
  return text;
}

/// The names of the values that differ, or are in one of the two only.
std::vector<std::string> changed_values(const JsonValue& before, const Json& now) {
  std::set<std::string> names;
  for (const auto& [name, value] : before.members())
    if (!now.contains(name) || now.at(name) != value.json()) names.insert(name);
  for (const auto& item : now.items())
    if (!before.has(item.key())) names.insert(item.key());
  return {names.begin(), names.end()};
}

}  // namespace

InputDigest::InputDigest() : sources_(std::make_shared<Json>(Json::array())) {}

template <class Scalar>
void InputDigest::add(const std::string& name, const Matrix<Scalar>& values) {
  values_.emplace_back(name, fmt::format("{} x {} {}, crc32 {}", values.rows(), values.cols(),
                                         sizeof(Scalar) == 4 ? "float32" : "float64", checksum(values)));
}

void InputDigest::add_text(const std::string& name, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  Checksum sum;
  for (const std::string& line : lines) sum.add(line + "\n");
  values_.emplace_back(name, fmt::format("{} lines, crc32 {}", lines.size(), sum.text()));
}

template <class Scalar>
void InputDigest::add(const std::string& name, const Dataset<Scalar>& data) {
  if (data.empty()) return;
  add(name + "_inputs", data.inputs);
  add(name + "_targets", data.targets);
  std::vector<std::string> rows;
  for (const Index row : data.source_rows) rows.push_back(std::to_string(row));
  add_text(name + "_source_rows", rows);
}

template <class Scalar>
void InputDigest::add(const Split<Scalar>& split) {
  add("train", split.train);
  add("validation", split.validation);
  add("test", split.test);
  if (const TargetScaling& scaling = split.train.target_scaling; scaling.scales()) {
    add("target_mean", Matrix<double>(scaling.mean));
    add("target_sd", Matrix<double>(scaling.sd));
  }
  add_text("class_names", split.train.class_names);
  add_text("feature_names", split.train.feature_names);
  add_text("notes", split.notes);
}

void InputDigest::add_source(const fs::path& path, bool all_below) { sources_->push_back(source_at(path, all_below)); }

void InputDigest::add_sources(const DatasetOptions& options) {
  for (const fs::path& path :
       {options.arrays.train_inputs, options.arrays.train_targets, options.arrays.validation_inputs,
        options.arrays.validation_targets, options.arrays.test_inputs, options.arrays.test_targets,
        options.arrays.feature_names_file, options.csv.test_path})
    if (!path.empty()) add_source(path);
  for (const DatasetInfo& set : dataset_table()) {
    if (set.name != options.name) continue;
    if (!set.files.empty()) {
      add_source(find_dataset(options.name, options.path));
    } else if (!options.path.empty()) {
      add_source(options.path, set.made_from.empty());
    }
    for (const std::string& name : set.made_from) {
      try {
        add_source(find_component(options.path, name));
      } catch (const DataError&) {  // one of several that it may be made of, and not of this one
      }
    }
  }
}

void InputDigest::keep_in(const RunDirectory& run) const {
  if (run.has_state(kStage)) {
    const JsonValue before = run.load_state(kStage).value();
    const std::vector<std::string> changed = changed_values(before.at("values"), to_json(values_));
    if (changed.empty()) return;
    throw DataError(fmt::format(
        "{}: the data are not those that the run began with: {} changed{}; restore them, or start again with another "
        "`out`",
        run.path().string(), fmt::join(changed, ", "),
        changed_sources(before.at("sources"), JsonValue(*sources_, run.state_path("data.json")))));
  }
  std::error_code error;
  if (fs::directory_iterator(run.state_path(""), error) != fs::directory_iterator())
    throw DataError(run.state_path("data.json").string() +
                    ": missing, so that nobody can tell whether the data are those that the run began with; start "
                    "again with another `out`");
  run.save_state(kStage, {{"values", to_json(values_)}, {"sources", *sources_}});
  run.amend_manifest("data_read", *sources_);
}

void require_same_data(const fs::path& run) {
  std::vector<fs::path> folders = {run};
  std::error_code none;  // of most runs: they have no parts
  for (fs::directory_iterator at(run / "parts", none), end; !none && at != end; at.increment(none))
    folders.push_back(at->path());
  for (const fs::path& folder : folders) {
    const JsonValue manifest = read_manifest(folder);
    if (!manifest.has("data_read")) continue;
    const JsonValue before = manifest.at("data_read");
    Json now = Json::array();
    for (const JsonValue& source : before.list())
      now.push_back(source_at(source.at("path").text(), source.has("all_below")));
    const std::string changed = changed_sources(before, JsonValue(now, "the data"));
    if (!changed.empty())
      throw DataError(
          fmt::format("the data are not those that {} read{}; restore them, or start again with another `out`",
                      folder.string(), changed));
  }
}

template void InputDigest::add(const Split<float>&);
template void InputDigest::add(const Split<double>&);
template void InputDigest::add(const std::string&, const Matrix<float>&);
template void InputDigest::add(const std::string&, const Matrix<double>&);

}  // namespace ansatz
