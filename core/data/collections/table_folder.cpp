#include "core/data/collections/table_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "core/base/error.h"
#include "core/data/formats/find_files.h"
#include "core/data/tables/files/open_table.h"
#include "core/machine/memory.h"

namespace ansatz {
namespace {

TableSetSize size_of(const std::string& name, const DataOutline& outline) {
  TableSetSize size;
  size.name = name;
  size.rows = outline.train.rows;
  size.features = outline.dimension;
  size.outputs = outline.outputs;
  size.task = outline.task;
  size.warnings = outline.warnings;
  return size;
}

TableSet read_set(const std::filesystem::path& folder, const TableTarget& target) {
  const RowSource source = open_table(folder, target);
  const DataOutline& outline = source.outline;
  std::vector<Index> rows(static_cast<std::size_t>(outline.train.rows));
  std::iota(rows.begin(), rows.end(), Index{0});
  require_memory(
      8.0 * static_cast<double>(outline.train.rows) * static_cast<double>(outline.dimension + outline.outputs),
      outline.name);
  const DataValues values = source.read({rows, {}, {}});
  TableSet set;
  set.name = target.name;
  set.source = table_file(folder, target);
  set.notes = outline.announcements;
  set.warnings = outline.warnings;
  set.rows.inputs = read_table<double>(values.train.inputs, rows, outline.dimension);
  if (outline.task == Task::classification) {
    set.rows.targets = Matrix<double>::Zero(outline.train.rows, outline.outputs);
    for (const Index row : rows) set.rows.targets(row, outline.train.labels[static_cast<std::size_t>(row)]) = 1;
  } else {
    set.rows.targets = read_table<double>(values.train.targets, rows, outline.outputs);
  }
  set.rows.task = outline.task;
  set.rows.class_names = outline.class_names;
  set.rows.feature_names = outline.input_names;
  set.rows.column_groups = outline.column_groups;
  return set;
}

bool is_table(const std::filesystem::path& file) {
  const std::filesystem::path name = file.extension() == ".gz" ? file.stem() : file;
  return name.extension() == ".csv" || name.extension() == ".arff";
}

/// The tables of the folder that no target speaks of.
void note_unlisted(const std::filesystem::path& folder, const std::vector<TableTarget>& targets,
                   Collection& collection) {
  std::vector<std::string> listed, others;
  for (const TableTarget& target : targets) {
    listed.push_back(target.file.empty() ? target.name + ".csv" : target.file);
    if (target.file.empty()) listed.push_back(target.name + ".arff");
  }
  for (const std::filesystem::path& file : visible_files(folder)) {
    const auto named = [&](const std::string& name) {
      return file.filename() == name || file.filename() == name + ".gz";
    };
    if (is_table(file) && std::none_of(listed.begin(), listed.end(), named)) others.push_back(file.filename().string());
  }
  if (!others.empty())
    collection.notes.push_back(fmt::format("{}: not among the targets: {}", folder.string(), fmt::join(others, ", ")));
}

}  // namespace

Collection open_table_folder(const std::filesystem::path& folder, const std::vector<TableTarget>& targets) {
  Collection collection;
  collection.name = folder.string();
  note_unlisted(folder, targets, collection);
  std::map<std::string, TableTarget> opened;
  for (const TableTarget& target : targets) {
    try {
      collection.sets.push_back(size_of(target.name, open_table(folder, target).outline));
      opened.emplace(target.name, target);
    } catch (const DataError& error) {
      collection.damaged.push_back({target.name, error.what()});
    }
  }
  if (collection.sets.empty())
    throw DataError(fmt::format("{}: no table that can be read{}", folder.string(),
                                collection.damaged.empty()
                                    ? ""
                                    : fmt::format(" ({}: {})", collection.damaged[0].name, collection.damaged[0].why)));
  std::sort(collection.sets.begin(), collection.sets.end(),
            [](const TableSetSize& a, const TableSetSize& b) { return a.name < b.name; });
  collection.read = [folder, opened, sets = collection.sets](const std::string& name) {
    return read_set(folder, opened.at(set_named(sets, name, folder.string()).name));
  };
  return collection;
}

}  // namespace ansatz
