#include "core/data/collections/table_targets.h"

namespace ansatz {
namespace {

std::optional<Task> task_in(const Config& section) {
  if (!section.has("task")) return std::nullopt;
  return section.get_choice<Task>("task", "regression",
                                  {{"regression", Task::regression}, {"classification", Task::classification}});
}

TableTarget target_in(const Config& section, const std::string& name) {
  TableTarget target;
  target.name = name;
  target.file = section.get("file", "");
  if (target.file.find_first_of("/|") != target.file.npos)
    section.fail("file", "must be the name of a file in the folder of the tables, is \"" + target.file + "\"");
  target.target = section.get("target", "");
  target.task = task_in(section);
  target.ignore_columns = section.get("ignore_columns", std::vector<std::string>{});
  target.categorical = section.get("categorical", std::vector<std::string>{});
  target.delimiter = section.get("delimiter", target.delimiter);
  target.cells.decimal = section.get_choice("decimal", ".", {".", ","}).front();
  target.cells.missing_values = section.get("missing_values", std::vector<std::string>{});
  target.cells.default_missing_values = section.get("default_missing_values", true);
  target.drop_missing = section.get_choice("missing", "error", {"error", "drop"}) == "drop";
  return target;
}

}  // namespace

std::vector<TableTarget> table_targets(const Config& section) {
  std::vector<TableTarget> targets;
  for (const std::string& name : section.keys()) {
    if (name.empty() || name.front() == '.' || name.find_first_of("/|") != name.npos)
      section.fail(name, "names no set: a name begins with no dot and has neither / nor |");
    targets.push_back(target_in(section.section(name), name));
  }
  return targets;
}

std::vector<TableTarget> read_table_targets(const std::filesystem::path& file) {
  const Config root = Config::from_file(file);
  const std::optional<Task> task = task_in(root);
  std::vector<TableTarget> targets = table_targets(root.section("sets"));
  if (targets.empty())
    root.fail("sets", "must list the sets, each with its target: sets: {houses: {target: price, task: regression}}");
  root.finish();
  for (TableTarget& target : targets)
    if (!target.task) target.task = task;
  return targets;
}

}  // namespace ansatz
