// `ansatz list` and `ansatz data`: what there is, and where data come from.
#include <cstdio>
#include <filesystem>

#include "core/config.h"
#include "core/error.h"
#include "core/load_dataset.h"
#include "experiments/commands.h"
#include "experiments/registry.h"
#include "rfm/kernels.h"
#include "rfm/solve.h"

namespace ansatz::experiments {
namespace {

template <class Table, class Text>
void print_table(const char* title, const Table& table, Text text) {
  std::printf("%s\n", title);
  for (const auto& row : table) std::printf("  %-22s %s\n", row.name.c_str(), text(row).c_str());
}

}  // namespace

void list_command(const std::string& topic) {
  const bool all = topic.empty();
  if (all || topic == "experiments")
    print_table("experiments", all_experiments(), [](const Experiment& e) { return e.summary; });
  if (all || topic == "datasets")
    print_table("datasets", dataset_table(), [](const DatasetInfo& d) { return d.summary; });
  if (all || topic == "kernels")
    print_table("kernels", rfm::kernel_table(), [](const rfm::KernelInfo& k) { return k.formula; });
  if (all || topic == "solvers")
    print_table("solvers", rfm::solver_table(), [](const rfm::SolverInfo& s) { return s.summary; });
}

void data_command(const std::string& name) {
  std::vector<std::string> names;
  for (const DatasetInfo& info : dataset_table()) {
    names.push_back(info.name);
    if (info.name != name) continue;
    std::printf("%s: %s\n", info.name.c_str(), info.summary.c_str());
    if (!info.files.empty()) std::printf("files:\n");
    for (const std::string& file : info.files) std::printf("  %s\n", file.c_str());
    if (!info.searched.empty()) std::printf("looked for in (after the config's dataset.path):\n");
    for (const std::filesystem::path& folder : info.searched) {
      std::printf("  %s%s\n", folder.c_str(), std::filesystem::exists(folder) ? "" : "   (not there)");
    }
    DatasetOptions options;
    options.name = name;
    if (!info.searched.empty()) {
      try {
        std::printf("found: %s\n", find_dataset(options).c_str());
      } catch (const DataError&) {
        std::printf("found: no\n");
      }
    }
    if (!info.how_to_get.empty()) std::printf("how to get it: %s\n", info.how_to_get.c_str());
    return;
  }
  const std::string near = nearest(name, names);
  throw ConfigError("there is no data set \"" + name + "\"; " +
                    (near.empty() ? "`ansatz list datasets` names them" : "did you mean " + near + "?"));
}

}  // namespace ansatz::experiments
