// `ansatz list`: what there is; and the same in the tables of docs/.
#include <cstdio>

#include "core/data/loading/load_dataset.h"
#include "core/files/files.h"
#include "experiments/benchmark/methods/method_table.h"
#include "experiments/cli/commands.h"
#include "experiments/cli/doc_tables.h"
#include "experiments/cli/registry.h"
#include "rfm/kernels/kernel.h"
#include "rfm/solvers/solve.h"

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
    print_table("kernels", rfm::kernel_table(), [](const rfm::KernelInfo& k) { return k.text(); });
  if (all || topic == "solvers")
    print_table("solvers", rfm::solver_table(), [](const rfm::SolverInfo& s) { return s.summary; });
  if (all || topic == "methods")
    print_table("methods of a benchmark", method_kinds(), [](const MethodKind& m) { return m.summary; });
}

void update_docs_command(const std::vector<std::filesystem::path>& documents) {
  for (const std::filesystem::path& document : documents) {
    const std::string before = read_file(document), after = with_tables(before);
    if (after == before) continue;
    write_file_atomically(document, after);
    std::printf("%s\n", document.c_str());
  }
}

}  // namespace ansatz::experiments
