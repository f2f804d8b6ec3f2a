#include "core/data/collections/uci_collection.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/data/collections/uci_set.h"
#include "core/data/formats/find_files.h"

namespace ansatz {
namespace {

constexpr const char* kResults = "results";  ///< the folder of the published ones; no set has that name

/// Whether a folder without a description holds what looks like a set's data.
bool holds_data(const std::filesystem::path& folder) {
  for (const std::filesystem::path& file : visible_files(folder)) {
    const std::filesystem::path name = file.extension() == ".gz" ? file.stem() : file.filename();
    if (name.extension() == ".dat") return true;
  }
  return false;
}

void list_set(const std::filesystem::path& folder, Collection& collection) {
  const std::string name = folder.filename().string();
  if (name == kResults) return;
  if (!find_file(folder, name + ".txt|" + name + ".txt.gz") && !holds_data(folder)) return;
  try {
    collection.sets.push_back(uci_set_size(folder));
  } catch (const DataError& error) {
    collection.damaged.push_back({name, error.what()});
  }
}

void read_published(const std::filesystem::path& folder, Collection& collection) {
  const auto file = find_file(folder / kResults, "results.txt|results.txt.gz");
  if (!file) return;
  try {
    collection.published = read_published_results(*file);
  } catch (const DataError& error) {
    collection.damaged.push_back({"published results", error.what()});
    return;
  }
  const std::vector<std::string>& known = collection.published->sets;
  std::vector<std::string> missing;
  for (const TableSetSize& set : collection.sets)
    if (std::find(known.begin(), known.end(), set.name) == known.end()) missing.push_back(set.name);
  if (!missing.empty())
    collection.notes.push_back(fmt::format("{} has no results for: {}", file->string(), fmt::join(missing, ", ")));
}

}  // namespace

Collection open_uci_collection(const std::filesystem::path& folder) {
  Collection collection;
  collection.name = folder.string();
  for (const std::filesystem::path& set : visible_folders(folder)) list_set(set, collection);
  if (collection.sets.empty())
    throw DataError(fmt::format(
        "{}: no data set; each must be a folder NAME with NAME.txt, the data file that it names, conxuntos.dat and "
        "conxuntos_kfold.dat{}",
        folder.string(),
        collection.damaged.empty() ? ""
                                   : fmt::format(" ({}: {})", collection.damaged[0].name, collection.damaged[0].why)));
  read_published(folder, collection);
  collection.read = [folder, sets = collection.sets](const std::string& name) {
    return read_uci_set(folder / set_named(sets, name, folder.string()).name);
  };
  return collection;
}

}  // namespace ansatz
