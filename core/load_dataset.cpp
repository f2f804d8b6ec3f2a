#include "core/load_dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/data_files.h"
#include "core/data_sets.h"
#include "core/data_variation.h"
#include "core/error.h"

namespace ansatz {
namespace {

namespace fs = std::filesystem;

const DataSet& data_set(const std::string& name) {
  std::vector<std::string> names;
  for (const DataSet& set : data_sets()) {
    if (set.name == name) return set;
    names.emplace_back(set.name);
  }
  throw DataError(fmt::format("there is no data set \"{}\"; there are: {}", name, fmt::join(names, ", ")));
}

/// Where a set is looked for without a path. An unset ANSATZ_DATA stands there by its name.
std::vector<fs::path> places(const DataSet& set) {
  constexpr const char* kSystemFolder = "/usr/share/datasets";
  const char* own = std::getenv("ANSATZ_DATA");
  std::vector<fs::path> result;
  for (const fs::path& root : {fs::path(own && *own ? own : "$ANSATZ_DATA"), fs::path(kSystemFolder)}) {
    for (const std::string& folder : set.folders) {
      result.push_back(root / folder);
      if (*set.sub_folder) result.push_back(root / folder / set.sub_folder);
    }
  }
  return result;
}

/// Why the files are not in a folder, or "".
std::string lacks(const fs::path& folder, const DataSet& set) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return "no such folder";
  for (const std::string& alternatives : set.files) {
    if (!find_file(folder, alternatives)) return "no " + split_alternatives(alternatives).front();
  }
  return "";
}

}  // namespace

template <class Scalar>
Split<Scalar> load_dataset(const DatasetOptions& options, const RandomStream& stream, const ImageReader& read_image) {
  const DataSet& set = data_set(options.name);
  Split<Scalar> split;
  if constexpr (std::is_same_v<Scalar, float>)
    split = set.load_float(options, stream, read_image);
  else
    split = set.load_double(options, stream, read_image);
  validate(split);
  judge_variation(split);
  encode_classes(split, options.class_coding);
  return split;
}

const std::vector<DatasetInfo>& dataset_table() {
  static const std::vector<DatasetInfo> table = [] {
    std::vector<DatasetInfo> infos;
    for (const DataSet& set : data_sets())
      infos.push_back({set.name, set.summary, set.files, places(set), set.how_to_get, set.made_from});
    return infos;
  }();
  return table;
}

std::filesystem::path find_dataset(const DatasetOptions& options) {
  const DataSet& set = data_set(options.name);
  std::vector<fs::path> folders = places(set);
  if (!options.path.empty()) {
    folders = {options.path};
    if (*set.sub_folder) folders.push_back(options.path / set.sub_folder);
  }
  if (folders.empty()) throw DataError(options.name + ": dataset.path is not given");
  std::vector<std::string> looked;
  for (const fs::path& folder : folders) {
    const std::string missing = lacks(folder, set);
    if (missing.empty()) return folder;
    looked.push_back(fmt::format("{} ({})", folder.string(), missing));
  }
  const std::string how = set.how_to_get;
  throw DataError(fmt::format("data set {} not found; looked in {}{}", options.name, fmt::join(looked, ", "),
                              how.empty() ? "" : "; to get it: " + how));
}

DatasetOptions component(const DatasetOptions& options, const std::string& name) {
  DatasetOptions part;
  part.name = name;
  if (!options.path.empty()) part.path = options.path / name;
  return part;
}

DatasetSize dataset_size(const DatasetOptions& options) {
  DatasetSize size = data_set(options.name).size(options);
  if (options.task == Task::classification) size.outputs = coded_outputs(options.class_coding, size.outputs);
  return size;
}

template Split<float> load_dataset(const DatasetOptions&, const RandomStream&, const ImageReader&);
template Split<double> load_dataset(const DatasetOptions&, const RandomStream&, const ImageReader&);

}  // namespace ansatz
